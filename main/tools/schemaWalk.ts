import type { JsonObject } from '../../shared/tools.ts';

/** A JSON Schema: an object of keywords, or a boolean for "anything" and "nothing". */
export type Schema = JsonObject | boolean;

const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const SINGLES = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
]);
const ARRAYS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);

/** The other keywords of 2020-12: whose values are data. */
const DATA = [
  ...['$ref', 'type', 'enum', 'const', 'default', 'examples', 'title', 'description', 'format', 'deprecated'],
  ...['readOnly', 'writeOnly', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...[
    'maxLength',
    'minLength',
    'pattern',
    'maxItems',
    'minItems',
    'uniqueItems',
    'maxContains',
    'minContains',
  ],
  ...[
    'maxProperties',
    'minProperties',
    'required',
    'dependentRequired',
    'contentEncoding',
    'contentMediaType',
  ],
];
const VOCABULARY = new Set([...MAPS, ...SINGLES, ...ARRAYS, ...DATA]);

/** Without the keywords that JSON Schema does not know: they mean nothing to a model and may hold anything. */
export function onlyKnownKeywords(schema: JsonObject): JsonObject {
  if (Object.keys(schema).every(keyword => VOCABULARY.has(keyword))) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => VOCABULARY.has(keyword)));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}

/**
 * The schema after every schema in it, inner ones first, went through `change`. Data inside `enum`, `const`, `default`
 * and `examples` is not schema and stays as it is. What `change` leaves as it was is not copied: most schemas are in
 * order, and a server may have thousands.
 */
export function mapSchema(schema: Schema, change: (schema: JsonObject) => Schema): Schema {
  if (typeof schema === 'boolean') return schema;
  const inner = (value: unknown): unknown => (isSchema(value) ? mapSchema(value, change) : value);
  let next = schema;
  for (const key of Object.keys(schema)) {
    const value = schema[key];
    const mapped = mapKeyword(key, value, inner);
    if (mapped === value) continue;
    if (next === schema) next = { ...schema };
    next[key] = mapped;
  }
  const changed = change(next);
  return isObject(changed) && areSame(changed, next) ? next : changed;
}

/** The value of a keyword with the schemas in it changed. */
function mapKeyword(key: string, value: unknown, change: (value: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return ARRAYS.has(key) ? mapItems(value, change) : value;
  if (MAPS.has(key)) return mapValues(value as JsonObject, change);
  return SINGLES.has(key) ? change(value) : value;
}

function mapValues(map: JsonObject, change: (value: unknown) => unknown): JsonObject {
  const names = Object.keys(map);
  const changed = names.map(name => change(map[name]));
  if (names.every((name, index) => changed[index] === map[name])) return map;
  return Object.fromEntries(names.map((name, index) => [name, changed[index]]));
}

function mapItems(items: unknown[], change: (item: unknown) => unknown): unknown[] {
  const changed = items.map(change);
  return changed.every((item, index) => item === items[index]) ? items : changed;
}

function areSame(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && a[key] === b[key])
  );
}

/** How deep and how large a value is, stopping as soon as it is over either bound. */
export function isWithin(value: unknown, bounds: { depth: number; nodes: number }): boolean {
  let nodes = 0;
  const visit = (inner: unknown, depth: number): boolean => {
    nodes += 1;
    if (depth > bounds.depth || nodes > bounds.nodes) return false;
    if (typeof inner !== 'object' || inner === null) return true;
    return Object.values(inner).every(child => visit(child, depth + 1));
  };
  return visit(value, 0);
}
