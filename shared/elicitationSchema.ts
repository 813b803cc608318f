/**
 * Reads the fields of a question from JSON Schema: the restricted schemas of elicitation (specification page
 * client/elicitation, with the spellings of older revisions) and any tool's input schema. Schemas come from servers
 * and may be anything at all, so nothing here throws: what is not understood is a field that is written as JSON.
 */
import type { JsonObject } from './tools.ts';

export type FieldKind =
  | 'string'
  /** A string of one of the `format`s that the specification names. */
  | 'text-format'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'select'
  | 'multiselect'
  /** Nested or unknown: written as JSON. */
  | 'unsupported';

export type TextFormat = 'email' | 'uri' | 'date' | 'date-time';

/** One choice. `key` is unique in its field and never empty; `value` is what is sent. */
export interface FieldOption {
  key: string;
  value: unknown;
  title: string;
  description?: string;
}

export interface FieldConstraints {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: TextFormat;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Field {
  name: string;
  kind: FieldKind;
  title: string;
  description?: string;
  required: boolean;
  /** As the schema has it: not checked. */
  default?: unknown;
  /** A `format` of a text that the specification does not name. */
  format?: string;
  constraints: FieldConstraints;
  /** Filled for `select` and `multiselect`. */
  options: FieldOption[];
}

/** The fields of an object schema in its own order; an unusable schema has none. */
export function parseFields(schema: unknown): Field[] {
  if (!isObject(schema) || !isObject(schema.properties)) return [];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(schema.properties).map(([name, property]) =>
    parseField(name, resolve(property, schema), required.has(name)),
  );
}

function parseField(name: string, schema: unknown, required: boolean): Field {
  const property = isObject(schema) ? schema : {};
  const description = text(property.description);
  return {
    name,
    title: text(property.title) ?? name,
    ...(description === undefined ? {} : { description }),
    required,
    ...(Object.hasOwn(property, 'default') ? { default: property.default } : {}),
    ...kindOf(property),
  };
}

function kindOf(property: JsonObject): Pick<Field, 'kind' | 'constraints' | 'options' | 'format'> {
  const choices = optionsOf(property);
  if (choices)
    return { kind: choices.length > 0 ? 'select' : 'unsupported', constraints: {}, options: choices };
  const type = typeOf(property);
  if (type === 'string') {
    const format = textFormats.find(known => known === property.format);
    const constraints = pick(property, ['minLength', 'maxLength'], {
      pattern: text(property.pattern),
      format,
    });
    if (format) return { kind: 'text-format', constraints, options: [] };
    const other = text(property.format);
    return { kind: 'string', constraints, options: [], ...(other === undefined ? {} : { format: other }) };
  }
  if (type === 'number' || type === 'integer')
    return {
      kind: type,
      constraints: pick(property, [
        'minimum',
        'maximum',
        'exclusiveMinimum',
        'exclusiveMaximum',
        'multipleOf',
      ]),
      options: [],
    };
  if (type === 'boolean') return { kind: 'boolean', constraints: {}, options: [] };
  const items = type === 'array' && isObject(property.items) ? optionsOf(property.items) : undefined;
  if (items && items.length > 0)
    return { kind: 'multiselect', constraints: pick(property, ['minItems', 'maxItems']), options: items };
  return { kind: 'unsupported', constraints: {}, options: [] };
}

const textFormats: readonly TextFormat[] = ['email', 'uri', 'date', 'date-time'];

/** `type` of one value that may also be null, as tools like to write an optional argument. */
function typeOf(property: JsonObject): unknown {
  if (!Array.isArray(property.type)) return property.type;
  const types = property.type.filter(type => type !== 'null');
  return types.length === 1 ? types[0] : undefined;
}

/** The choices, if it is one, of all spellings: `enum`, `enum` with `enumNames`, `oneOf`/`anyOf` of titled constants, `const`. */
function optionsOf(property: JsonObject): FieldOption[] | undefined {
  if (Array.isArray(property.enum)) {
    const values = property.enum;
    // A list of names that does not fit the list of values would put wrong names on values.
    const names =
      Array.isArray(property.enumNames) && property.enumNames.length === values.length
        ? property.enumNames
        : [];
    return usable(
      values.map((value, index) => option(value, names[index])),
      property,
    );
  }
  if (Object.hasOwn(property, 'const')) return usable([option(property.const, undefined)], property);
  const titled = property.oneOf ?? property.anyOf;
  if (!Array.isArray(titled) || titled.length === 0) return undefined;
  if (!titled.every((one): one is JsonObject => isObject(one) && Object.hasOwn(one, 'const')))
    return undefined;
  return usable(
    titled.map(one => option(one.const, one.title, one.description)),
    property,
  );
}

function option(value: unknown, title: unknown, description?: unknown): FieldOption {
  const more = text(description);
  return {
    key: JSON.stringify(value) ?? 'null',
    value,
    title: text(title) ?? (typeof value === 'string' && value !== '' ? value : JSON.stringify(value)),
    ...(more === undefined ? {} : { description: more }),
  };
}

/** Each once, and those that their own `type` forbids not at all. */
function usable(options: FieldOption[], { type }: JsonObject): FieldOption[] {
  const types = Array.isArray(type) ? type : [type];
  const allowed = options.filter(
    ({ value }) => type === undefined || types.some(one => isOfType(value, one)),
  );
  return [...new Map(allowed.map(one => [one.key, one])).values()];
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (value === null) return type === 'null';
  return type === (Array.isArray(value) ? 'array' : typeof value);
}

/** Follows `$ref` inside the schema and `anyOf` of one type and null, each only a few steps deep. */
function resolve(property: unknown, root: JsonObject, depth = 0): unknown {
  if (!isObject(property) || depth > 8) return property;
  if (typeof property.$ref === 'string') {
    const { $ref, ...beside } = property;
    const target = resolve(lookUp(root, $ref), root, depth + 1);
    return isObject(target) ? { ...target, ...beside } : beside;
  }
  const alternatives = property.anyOf ?? property.oneOf;
  if (Array.isArray(alternatives)) {
    const others = alternatives.filter(one => !(isObject(one) && one.type === 'null'));
    if (others.length === 1 && alternatives.length === 2) {
      const { anyOf, oneOf, ...beside } = property;
      const only = resolve(others[0], root, depth + 1);
      return isObject(only) ? { ...only, ...beside } : property;
    }
  }
  if (isObject(property.items)) return { ...property, items: resolve(property.items, root, depth + 1) };
  return property;
}

/** The target of a JSON pointer such as `#/$defs/Colour`; never anything outside the schema. */
function lookUp(root: JsonObject, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined;
  let target: unknown = root;
  for (const step of ref.slice(2).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(target) || !Object.hasOwn(target, key)) return undefined;
    target = target[key];
  }
  return target;
}

function pick(
  property: JsonObject,
  keys: (keyof FieldConstraints)[],
  more: { pattern?: string | undefined; format?: TextFormat | undefined } = {},
): FieldConstraints {
  const numbers = keys.flatMap(key => (Number.isFinite(property[key]) ? [[key, property[key]]] : []));
  const others = Object.entries(more).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...numbers, ...others]);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
