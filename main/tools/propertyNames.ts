import { createHash } from 'node:crypto';
import type { JsonObject } from '../../shared/tools.ts';
import { isObject, mapSchema } from './schemaWalk.ts';

const LEGAL = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Alias to true name, for the names that the LLM API does not take. */
export type Aliases = ReadonlyMap<string, string>;

/**
 * Gives every property that the LLM API would refuse a legal alias, at every depth. An alias depends on its name
 * alone and carries a hash, so it is stable, distinct, and recognised anywhere in the arguments.
 */
export function aliasProperties(root: JsonObject): { schema: JsonObject; aliases: Aliases } {
  const aliases = new Map<string, string>();
  const rename = (name: string): string => {
    if (isLegal(name)) return name;
    const alias = aliasOf(name);
    aliases.set(alias, name);
    return alias;
  };
  const schema = mapSchema(root, inner => {
    const next = { ...inner };
    if (isObject(next.properties) && !Object.keys(next.properties).every(isLegal)) {
      next.properties = Object.fromEntries(
        Object.entries(next.properties).map(([name, value]) => [
          rename(name),
          isLegal(name) ? value : tellName(value, name),
        ]),
      );
    }
    if (Array.isArray(next.required) && !next.required.every(isLegal))
      next.required = next.required.map(name => rename(String(name)));
    if (isObject(next.dependentRequired)) {
      next.dependentRequired = Object.fromEntries(
        Object.entries(next.dependentRequired).map(([name, others]) => [
          rename(name),
          Array.isArray(others) ? others.map(other => rename(String(other))) : others,
        ]),
      );
    }
    if (isObject(next.dependentSchemas)) {
      next.dependentSchemas = Object.fromEntries(
        Object.entries(next.dependentSchemas).map(([name, value]) => [rename(name), value]),
      );
    }
    return next;
  }) as JsonObject;
  return { schema, aliases };
}

/** Turns aliases back into the true names, at every depth. */
export function restoreNames(value: unknown, aliases: Aliases): unknown {
  if (aliases.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(item => restoreNames(item, aliases));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [aliases.get(key) ?? key, restoreNames(inner, aliases)]),
  );
}

function isLegal(name: unknown): boolean {
  return typeof name === 'string' && LEGAL.test(name);
}

function aliasOf(name: string): string {
  const readable =
    name
      .normalize('NFKD')
      .replace(/[^a-zA-Z0-9_.-]+/g, '_')
      .slice(0, 48) || '_';
  return `${readable}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

function tellName(schema: unknown, name: string): unknown {
  const told = `(the property ${JSON.stringify(name)})`;
  if (schema === true) return { description: told };
  if (!isObject(schema)) return schema;
  const { description } = schema;
  return { ...schema, description: typeof description === 'string' ? `${description} ${told}` : told };
}
