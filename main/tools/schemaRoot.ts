import type { JsonObject } from '../../shared/tools.ts';
import { isObject } from './schemaWalk.ts';

export interface PlainRoot {
  /** An object schema without `oneOf`, `anyOf` and `allOf` at its root. */
  schema: JsonObject;
  /** The alternatives that were merged, in words. */
  alternatives: string[];
}

/**
 * The LLM API takes one plain object at the root. Alternatives are merged: all their properties, what all of them
 * require; which sets belong together is told in words, and the original still decides when the tool is called.
 */
export function flattenRoot(root: JsonObject): PlainRoot {
  const alternatives: string[] = [];
  const merged = merge(root, { root, alternatives, left: MAX_BRANCHES }, 0);
  return {
    schema: { ...merged, type: 'object', properties: isObject(merged.properties) ? merged.properties : {} },
    alternatives,
  };
}

const MAX_NESTING = 8;
/** In all: with references to each other, few alternatives can stand for millions. The rest may be anything. */
const MAX_BRANCHES = 500;

interface Merging {
  root: JsonObject;
  alternatives: string[];
  /** How many branches may still be merged. */
  left: number;
}

function merge(schema: JsonObject, all: Merging, depth: number): JsonObject {
  const { oneOf, anyOf, allOf, ...own } = schema;
  if (depth > MAX_NESTING || all.left <= 0) return own;
  all.left--;
  let result: JsonObject = own;
  const flatten = (branches: unknown): JsonObject[] =>
    (Array.isArray(branches) ? branches : []).map(branch => merge(follow(branch, all.root), all, depth + 1));
  for (const part of flatten(allOf)) result = both(result, part);
  for (const [branches, word] of [
    [flatten(oneOf), 'exactly one'],
    [flatten(anyOf), 'at least one'],
  ] as const) {
    if (branches.length === 0) continue;
    all.alternatives.push(inWords(branches, word));
    result = both(result, either(branches));
  }
  return result;
}

/** A reference inside the merged root is followed once for each place; self-reference ends at MAX_NESTING. */
function follow(branch: unknown, root: JsonObject): JsonObject {
  if (!isObject(branch)) return {};
  const name = typeof branch.$ref === 'string' ? /^#\/\$defs\/(.+)$/.exec(branch.$ref)?.[1] : undefined;
  if (name === undefined || !isObject(root.$defs)) return branch;
  const { $ref: _ref, ...rest } = branch;
  const target = root.$defs[name.replaceAll('~1', '/').replaceAll('~0', '~')];
  return isObject(target) ? { ...target, ...rest } : rest;
}

/** Both must hold. */
function both(a: JsonObject, b: JsonObject): JsonObject {
  const required = [...new Set([...list(a.required), ...list(b.required)])];
  return {
    ...b,
    ...a,
    properties: unite(a, b, (one, other) => ({ allOf: [one, other] })),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** One of them must hold: everything may come, only what all require must. */
function either(branches: JsonObject[]): JsonObject {
  const [first, ...others] = branches as [JsonObject, ...JsonObject[]];
  const required = list(first.required).filter(name =>
    others.every(other => list(other.required).includes(name)),
  );
  const properties = others.reduce(
    (all, branch) => ({ properties: unite(all, branch, (one, other) => ({ anyOf: [one, other] })) }),
    first,
  ).properties;
  return { ...(isObject(properties) ? { properties } : {}), required };
}

function unite(a: JsonObject, b: JsonObject, join: (one: unknown, other: unknown) => JsonObject): JsonObject {
  const [ours, theirs] = [
    isObject(a.properties) ? a.properties : {},
    isObject(b.properties) ? b.properties : {},
  ];
  const united: JsonObject = { ...ours };
  for (const [name, schema] of Object.entries(theirs)) {
    const same = !Object.hasOwn(ours, name) || JSON.stringify(ours[name]) === JSON.stringify(schema);
    united[name] = same ? schema : join(ours[name], schema);
  }
  return united;
}

/** A model reads of so many alternatives; it is told that there are more. */
const MOST_TOLD = 20;

function inWords(branches: JsonObject[], howMany: string): string {
  const sets = branches.slice(0, MOST_TOLD).map((branch, index) => {
    const names =
      list(branch.required).length > 0
        ? list(branch.required)
        : Object.keys(isObject(branch.properties) ? branch.properties : {});
    return `(${index + 1}) ${names.join(', ') || 'nothing more'}`;
  });
  const more = branches.length > MOST_TOLD ? '; and more' : '';
  return `Give ${howMany} of these sets of arguments: ${sets.join('; ')}${more}.`;
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
}
