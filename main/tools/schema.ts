import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../shared/tools.ts';
import { unknownDialect } from '../servers/dialects.ts';
import { type Aliases, aliasProperties } from './propertyNames.ts';
import { upgradeDialect } from './schemaDialect.ts';
import { resolveRefs } from './schemaRefs.ts';
import { flattenRoot } from './schemaRoot.ts';
import { isObject, isWithin, mapSchema, onlyKnownKeywords } from './schemaWalk.ts';

const BOUNDS = { depth: 60, nodes: 20_000 };

/** A tool's input schema twice: as the model gets it, and as arguments are checked against it. */
export interface ConvertedSchema {
  /** Plain object at the root, legal property names, 2020-12, every `$ref` local: what the LLM API accepts. */
  forModel: JsonObject;
  /** The original in 2020-12 with local references, true names and all its alternatives. */
  forCheck: JsonObject;
  aliases: Aliases;
  /** What the root's alternatives are, in words for the end of the description. */
  alternatives: string[];
  /** What had to be dropped or could not be understood. */
  notes: string[];
  /** Why no model can be offered this tool. */
  unusable?: string;
}

/** Pure, deterministic, and bounded in depth and size; never fetches anything. */
export function convertSchema(input: JsonObject): ConvertedSchema {
  const nothing = { forModel: emptyObject(), forCheck: {}, aliases: new Map(), alternatives: [], notes: [] };
  if (!isWithin(input, BOUNDS)) {
    return { ...nothing, unusable: 'Its input schema is too large or too deeply nested.' };
  }
  const dialect = unknownDialect(input);
  if (dialect !== undefined) {
    return {
      ...nothing,
      unusable: `Its input schema is written in a dialect that Parley does not know: ${dialect}`,
    };
  }
  const resolved = resolveRefs(upgradeDialect(input));
  if (resolved.remote !== undefined) {
    return {
      ...nothing,
      unusable: `Its input schema refers to ${resolved.remote}; Parley fetches no schemas.`,
    };
  }
  if (!describesObject(resolved.schema)) {
    return { ...nothing, unusable: 'Its arguments are not an object.' };
  }
  const forCheck = repair(resolved.schema);
  const flat = flattenRoot(mapSchema(forCheck.schema, onlyKnownKeywords) as JsonObject);
  const aliased = aliasProperties(flat.schema);
  return {
    forModel: aliased.schema,
    forCheck: { ...forCheck.schema, type: 'object' },
    aliases: aliased.aliases,
    alternatives: flat.alternatives,
    notes: [...resolved.notes, ...forCheck.notes],
  };
}

function emptyObject(): JsonObject {
  return { type: 'object', properties: {} };
}

function describesObject({ type }: JsonObject): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

const metaSchema = new Ajv2020({ strict: false, logger: false, validateFormats: false });

/** Each looks at the whole schema anew; one that is wrong in more places is not worth it. */
const MAX_REPAIRS = 50;

/** Drops keywords whose value is not what 2020-12 allows, one after the other, until the schema is valid. */
function repair(schema: JsonObject): { schema: JsonObject; notes: string[] } {
  const notes: string[] = [];
  // A shape that the walk could not see into (`properties: []`) would hide what is below it.
  let current = mapSchema(schema, dropMisshapen) as JsonObject;
  for (let round = 0; round < MAX_REPAIRS; round++) {
    if (metaSchema.validateSchema(current)) return { schema: current, notes };
    const path = metaSchema.errors?.[0]?.instancePath ?? '';
    if (path === '') break;
    notes.push(`The keyword at ${path} is not valid and was dropped.`);
    current = without(current, path.slice(1).split('/')) as JsonObject;
  }
  return { schema: {}, notes: ['Its input schema is not valid JSON Schema; any arguments are allowed.'] };
}

function dropMisshapen(schema: JsonObject): JsonObject {
  const next = { ...schema };
  for (const key of ['properties', 'patternProperties', '$defs', 'dependentSchemas']) {
    if (key in next && !isObject(next[key])) delete next[key];
  }
  if (!Array.isArray(next.required)) delete next.required;
  else if (!areDistinctNames(next.required))
    next.required = [...new Set(next.required.filter(name => typeof name === 'string'))];
  return next;
}

function areDistinctNames(names: unknown[]): boolean {
  return names.every(name => typeof name === 'string') && new Set(names).size === names.length;
}

function without(value: unknown, path: string[]): unknown {
  const [head, ...rest] = path.map(part => part.replaceAll('~1', '/').replaceAll('~0', '~')) as [
    string,
    ...string[],
  ];
  if (Array.isArray(value)) {
    const index = Number(head);
    return rest.length === 0
      ? value.toSpliced(index, 1)
      : value.with(index, without(value[index], path.slice(1)));
  }
  const object = value as JsonObject;
  if (rest.length > 0) return { ...object, [head]: without(object[head], path.slice(1)) };
  const { [head]: _dropped, ...others } = object;
  return others;
}
