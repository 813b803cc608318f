import type { JsonObject } from '../../shared/tools.ts';
import { isObject, isSchema, mapSchema, type Schema } from './schemaWalk.ts';

/** Rewrites what draft-04, draft-07 and OpenAPI spell differently into 2020-12, whatever the label says. */
export function upgradeDialect(root: JsonObject): JsonObject {
  const upgraded = mapSchema(root, upgrade);
  return isObject(upgraded) ? upgraded : {};
}

function upgrade(schema: JsonObject): Schema {
  const next: JsonObject = { ...schema };
  delete next.$schema;
  delete next.$id;
  delete next.id;
  delete next.$comment;
  exclusiveBound(next, 'minimum', 'exclusiveMinimum');
  exclusiveBound(next, 'maximum', 'exclusiveMaximum');
  if (Array.isArray(next.items)) tuple(next);
  if (isObject(next.definitions)) {
    next.$defs = { ...next.definitions, ...(isObject(next.$defs) ? next.$defs : {}) };
    delete next.definitions;
  }
  if (typeof next.$ref === 'string') next.$ref = next.$ref.replace(/^#\/definitions\//, '#/$defs/');
  if (isObject(next.dependencies)) dependencies(next, next.dependencies);
  if (next.nullable === true) nullable(next);
  delete next.nullable;
  // Draft-03/04 and careless generators: `required: true` on the property itself.
  if (typeof next.required === 'boolean') delete next.required;
  if (next.type === 'any' || next.type === '') delete next.type;
  return next;
}

function exclusiveBound(schema: JsonObject, bound: string, exclusive: string): void {
  if (typeof schema[exclusive] !== 'boolean') return;
  if (schema[exclusive] && typeof schema[bound] === 'number') {
    schema[exclusive] = schema[bound];
    delete schema[bound];
  } else {
    delete schema[exclusive];
  }
}

function tuple(schema: JsonObject): void {
  schema.prefixItems = schema.items;
  delete schema.items;
  if (isSchema(schema.additionalItems)) schema.items = schema.additionalItems;
  delete schema.additionalItems;
}

function dependencies(schema: JsonObject, old: JsonObject): void {
  const entries = Object.entries(old);
  const required = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => isSchema(value));
  if (required.length > 0) schema.dependentRequired = Object.fromEntries(required);
  if (schemas.length > 0) schema.dependentSchemas = Object.fromEntries(schemas);
  delete schema.dependencies;
}

/** OpenAPI's way to say "or null". */
function nullable(schema: JsonObject): void {
  if (typeof schema.type === 'string') schema.type = [schema.type, 'null'];
  else if (Array.isArray(schema.type) && !schema.type.includes('null'))
    schema.type = [...schema.type, 'null'];
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
}
