import type { JsonObject } from '../../shared/tools.ts';

export type PropertyKind =
  | 'text'
  | 'email'
  | 'url'
  | 'path'
  | 'date'
  | 'date-time'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'choice'
  | 'list'
  | 'other';

/** What the Guide knows of one argument of a tool. */
export interface Property {
  name: string;
  kind: PropertyKind;
  required: boolean;
  /** For a choice: the values and, in lower case, the words that stand for each. */
  choices: { value: unknown; words: string[] }[];
  /** For a list: what is in it. */
  items?: Property;
  /** What to send when nothing is said: a default or the only possible value. */
  fallback: unknown;
}

/** The arguments of a tool, required ones first. Schemas are untrusted: what is odd in one counts as `other`. */
export function propertiesOf(schema: JsonObject): Property[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const all = properties.map(([name, inner]) => readProperty(name, inner, required.includes(name), schema));
  return [...all.filter(one => one.required), ...all.filter(one => !one.required)];
}

function readProperty(name: string, raw: unknown, required: boolean, root: JsonObject): Property {
  const schema = withoutNull(resolve(raw, root), root);
  const choices = choicesOf(schema);
  const items = schema.type === 'array' ? readProperty(name, schema.items, false, {}) : undefined;
  const kind = choices.length > 0 ? 'choice' : kindOf(schema, name);
  const fallback = schema.default ?? schema.const;
  return { name, kind, required, choices, fallback, ...(items ? { items } : {}) };
}

function kindOf({ type, format }: JsonObject, name: string): PropertyKind {
  switch (type) {
    case 'number':
    case 'integer':
    case 'boolean':
      return type;
    case 'array':
      return 'list';
    case 'string':
      return textKind(format, name);
    default:
      return 'other';
  }
}

function textKind(format: unknown, name: string): PropertyKind {
  if (format === 'email' || format === 'date' || format === 'date-time') return format;
  if (format === 'uri' || format === 'url') return 'url';
  if (format !== undefined) return 'text';
  if (/(^|[_-])(url|uri)$|[a-z](Url|URL|Uri|URI)$/.test(name)) return 'url';
  if (/(^|[_-])(path|file|filename|directory|dir|folder)s?$|[a-z](Path|File|Dir)s?$/.test(name))
    return 'path';
  return /^e?-?mail$/i.test(name) ? 'email' : 'text';
}

function choicesOf(schema: JsonObject): Property['choices'] {
  const titled = [schema.oneOf, schema.anyOf].find(
    (branches): branches is JsonObject[] =>
      Array.isArray(branches) &&
      branches.length > 0 &&
      branches.every(one => isObject(one) && 'const' in one),
  );
  if (titled) return titled.map(({ const: value, title }) => ({ value, words: wordsFor(value, title) }));
  if (!Array.isArray(schema.enum)) return [];
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  return schema.enum.map((value, index) => ({ value, words: wordsFor(value, names[index]) }));
}

function wordsFor(value: unknown, title: unknown): string[] {
  return [value, title].flatMap(one =>
    typeof one === 'string' || typeof one === 'number' ? [String(one).toLowerCase()] : [],
  );
}

/** The one type or branch beside null. */
function withoutNull(schema: JsonObject, root: JsonObject): JsonObject {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter(type => type !== 'null');
    return { ...schema, type: types.length === 1 ? types[0] : undefined };
  }
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray);
  const real = branches?.map(one => resolve(one, root)).filter(one => one.type !== 'null');
  return branches && real?.length === 1
    ? { ...schema, anyOf: undefined, oneOf: undefined, ...real[0] }
    : schema;
}

function resolve(raw: unknown, root: JsonObject): JsonObject {
  if (!isObject(raw)) return {};
  const name = typeof raw.$ref === 'string' ? /^#\/(\$defs|definitions)\/([^/]+)$/.exec(raw.$ref) : null;
  if (!name) return raw;
  const definitions = root[name[1] as string];
  const found = isObject(definitions) ? definitions[name[2] as string] : undefined;
  return isObject(found) ? found : {};
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
