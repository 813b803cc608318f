/** What the Messages API accepts as the schema of a tool's input. */
import { Ajv2020 } from 'ajv/dist/2020.js';

const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });

/** The first rule for the `input_schema` of a tool that this one breaks. */
export function checkSchema(schema: unknown, path: string): string | undefined {
  if (!isObject(schema)) return `${path}: Input should be a valid dictionary`;
  if (schema.type !== 'object') return `${path}.type: Input should be 'object'`;
  const combinator = ['oneOf', 'anyOf', 'allOf'].find(word => word in schema);
  if (combinator) return `${path}: input_schema does not support oneOf, allOf, or anyOf at the top level`;
  const wrong = checkPropertyNames(schema, path) ?? checkReferences(schema, schema, path);
  if (wrong) return wrong;
  const { $id: _id, $schema: _dialect, ...bare } = schema;
  const valid = ajv.validateSchema(bare);
  return valid ? undefined : `${path}: JSON schema is invalid. It must match JSON Schema draft 2020-12`;
}

/** Every reference stays inside the schema and leads somewhere. */
function checkReferences(value: unknown, root: Record<string, unknown>, path: string): string | undefined {
  if (Array.isArray(value)) return first(value, (inner, at) => checkReferences(inner, root, `${path}.${at}`));
  if (!isObject(value)) return undefined;
  const { $ref } = value;
  if (typeof $ref === 'string' && !leadsSomewhere($ref, root))
    return `${path}.$ref: cannot be resolved: ${$ref}`;
  return first(Object.entries(value), ([key, inner]) =>
    ['enum', 'const', 'default', 'examples'].includes(key)
      ? undefined
      : checkReferences(inner, root, `${path}.${key}`),
  );
}

function leadsSomewhere(reference: string, root: Record<string, unknown>): boolean {
  if (reference === '#') return true;
  if (!reference.startsWith('#/')) return false;
  let at: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false;
    at = (at as Record<string, unknown>)[key];
  }
  return true;
}

/** Keywords that hold schemas by name: the names in them are no keywords. */
const MAPS = ['properties', 'patternProperties', '$defs', 'dependentSchemas'];

function checkPropertyNames(schema: unknown, path: string): string | undefined {
  if (Array.isArray(schema)) return first(schema, (inner, at) => checkPropertyNames(inner, `${path}.${at}`));
  if (!isObject(schema)) return undefined;
  return first(Object.entries(schema), ([key, value]) => {
    if (['enum', 'const', 'default', 'examples'].includes(key)) return undefined;
    if (!MAPS.includes(key) || !isObject(value)) return checkPropertyNames(value, `${path}.${key}`);
    const bad = key === 'properties' && Object.keys(value).some(name => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name));
    if (bad) return `${path}.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`;
    return first(Object.entries(value), ([name, inner]) =>
      checkPropertyNames(inner, `${path}.${key}.${name}`),
    );
  });
}

function first<T>(
  items: readonly T[],
  check: (item: T, at: number) => string | undefined,
): string | undefined {
  for (const [at, item] of items.entries()) {
    const found = check(item, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
