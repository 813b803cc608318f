import { type Field, type FieldOption, parseFields } from './elicitationSchema.ts';
import type { JsonObject } from './tools.ts';

/** What of a server's question a person can be asked. */
export interface Form {
  fields: Field[];
  /** Optional ones that no form can ask for: the answer goes without them. */
  leftOut: Field[];
  /** Why no answer could ever be right, in words for whoever makes the server. */
  problem?: string;
}

/**
 * The form of an elicitation. Answers hold only texts, numbers, yes or no, and lists of texts (specification page
 * client/elicitation): what is outside of that is left out where the server can do without it.
 */
export function readForm(schema: JsonObject): Form {
  const all = parseFields(schema).map(withSendableOptions);
  const fields = all.filter(canBeAsked);
  const leftOut = all.filter(field => !canBeAsked(field));
  const problem = problemOf(schema, all, leftOut);
  return { fields, leftOut, ...(problem === undefined ? {} : { problem }) };
}

function problemOf(schema: JsonObject, all: Field[], leftOut: Field[]): string | undefined {
  if (schema.type !== undefined && schema.type !== 'object')
    return 'Parley can only ask for an object, and the requested schema describes something else.';
  const impossible = leftOut.filter(({ required }) => required).map(({ name }) => name);
  if (impossible.length > 0)
    return `Parley cannot ask for the required ${listed(impossible)}: a form has only texts, numbers, yes or no, and choices among texts.`;
  const known = new Set(all.map(({ name }) => name));
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const unknown = required.filter(name => typeof name === 'string').filter(name => !known.has(name));
  if (unknown.length > 0)
    return `Parley cannot ask for the required ${listed(unknown)}: the schema does not describe it.`;
  return undefined;
}

function canBeAsked({ kind, options, constraints: { minItems = 0 } }: Field): boolean {
  return kind !== 'unsupported' && (kind !== 'multiselect' || minItems <= options.length);
}

function withSendableOptions(field: Field): Field {
  if (field.kind !== 'select' && field.kind !== 'multiselect') return field;
  const types = field.kind === 'select' ? ['string', 'number', 'boolean'] : ['string'];
  const options = field.options.filter(({ value }: FieldOption) => types.includes(typeof value));
  return options.length > 0 ? { ...field, options } : { ...field, kind: 'unsupported', options };
}

function listed(names: string[]): string {
  const shown = names.slice(0, 5).map(name => `“${name.slice(0, 100)}”`);
  if (names.length > shown.length) shown.push(`${names.length - shown.length} more`);
  return `${names.length === 1 ? 'field' : 'fields'} ${shown.join(', ')}`;
}
