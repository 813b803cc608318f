import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../shared/tools.ts';
import { createAjv } from '../servers/ajv.ts';
import { CHECK_MS, isTame, within } from '../servers/bounded.ts';
import { restoreNames } from './propertyNames.ts';
import type { ConvertedSchema } from './schema.ts';
import { isObject } from './schemaWalk.ts';

export type DecodedArguments = { args: JsonObject } | { error: string };

/**
 * Turns what a model wrote into the arguments for the server: true names, no nulls where the schema has no place for
 * them, obvious spellings of numbers and booleans; checked against the original schema.
 */
export class ArgumentDecoder {
  readonly #schema: ConvertedSchema;
  #validate: ValidateFunction | null | undefined;
  #isTame = false;
  /** A check ran out of time: it was made to take for ever. */
  #isEndless = false;

  constructor(schema: ConvertedSchema) {
    this.#schema = schema;
  }

  decode(input: JsonObject): DecodedArguments {
    const named = restoreNames(input, this.#schema.aliases) as JsonObject;
    if (!this.#isEndless) {
      try {
        return this.#isTame ? this.#checked(named) : within(CHECK_MS, () => this.#checked(named));
      } catch {
        this.#isEndless = true;
      }
    }
    // The server has the last word.
    return { args: named };
  }

  /** What is wrong with arguments in the server's own spelling, which are not adapted to anything. */
  check(args: JsonObject): string | undefined {
    if (this.#isEndless) return undefined;
    try {
      return this.#isTame ? this.#problem(args) : within(CHECK_MS, () => this.#problem(args));
    } catch {
      this.#isEndless = true;
      return undefined;
    }
  }

  #checked(named: JsonObject): DecodedArguments {
    const { forCheck } = this.#schema;
    const args = adapt(named, forCheck, forCheck, 0) as JsonObject;
    const error = this.#problem(args);
    return error === undefined ? { args } : { error };
  }

  #problem(args: JsonObject): string | undefined {
    const validate = this.#compiled();
    if (!validate || validate(args)) return undefined;
    const problems = (validate.errors ?? []).slice(0, 5).map(inWords);
    return [`The arguments do not fit: ${problems.join('; ')}.`, ...this.#schema.alternatives].join(' ');
  }

  /** A schema that does not compile cannot be checked either. */
  #compiled(): ValidateFunction | undefined {
    if (this.#validate === undefined) {
      // Should the time be up in the middle, it is not tried again.
      this.#validate = null;
      try {
        this.#validate = createAjv({ allErrors: true }).compile(this.#schema.forCheck);
        this.#isTame = isTame(this.#schema.forCheck);
      } catch {
        // It stays as it is.
      }
    }
    return this.#validate ?? undefined;
  }
}

function inWords({ instancePath, message, params }: ErrorObject): string {
  const where = instancePath === '' ? 'the arguments' : instancePath.slice(1).replaceAll('/', '.');
  const allowed = Array.isArray(params.allowedValues)
    ? ` (${params.allowedValues.map(String).join(', ')})`
    : '';
  return `${where} ${message ?? 'is wrong'}${allowed}`;
}

const MAX_DEPTH = 40;

/** Adapts a value to its schema where there is exactly one sensible reading; leaves everything else to the check. */
function adapt(value: unknown, schema: unknown, root: JsonObject, depth: number): unknown {
  if (depth > MAX_DEPTH) return value;
  const own = dereference(schema, root);
  if (!isObject(own)) return value;
  if (typeof value === 'string') return adaptText(value, own, root, depth);
  if (typeof value === 'number' && onlyType(own) === 'string') return String(value);
  if (Array.isArray(value)) {
    const prefix = Array.isArray(own.prefixItems) ? own.prefixItems : [];
    return value.map((item, index) => adapt(item, prefix[index] ?? own.items, root, depth + 1));
  }
  return isObject(value) ? adaptObject(value, own, root, depth) : value;
}

function adaptText(value: string, schema: JsonObject, root: JsonObject, depth: number): unknown {
  const type = onlyType(schema);
  if ((type === 'number' || type === 'integer') && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value.trim()))
    return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  if (
    (type === 'array' && value.trim().startsWith('[')) ||
    (type === 'object' && value.trim().startsWith('{'))
  ) {
    try {
      return adapt(JSON.parse(value), schema, root, depth + 1);
    } catch {
      return value;
    }
  }
  return value;
}

function adaptObject(value: JsonObject, schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fitted: JsonObject = {};
  for (const [name, inner] of Object.entries(value)) {
    const property = propertyOf(schema, name, root);
    // Models like to send null for everything optional; strict servers refuse it.
    if (inner === null && property !== undefined && !required.has(name) && !allowsNull(property, root, 0))
      continue;
    fitted[name] = adapt(inner, property, root, depth + 1);
  }
  return fitted;
}

/** The schema of a property, also when it stands in an alternative at the root; undefined when there is none. */
function propertyOf(schema: JsonObject, name: string, root: JsonObject): unknown {
  if (isObject(schema.properties) && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const branches = schema[key];
    if (!Array.isArray(branches)) continue;
    for (const branch of branches) {
      const own = dereference(branch, root);
      if (isObject(own) && isObject(own.properties) && Object.hasOwn(own.properties, name))
        return own.properties[name];
    }
  }
  return undefined;
}

function allowsNull(schema: unknown, root: JsonObject, depth: number): boolean {
  const own = dereference(schema, root);
  if (depth > MAX_DEPTH || typeof own === 'boolean') return own === true;
  if (!isObject(own)) return true;
  if ('const' in own) return own.const === null;
  if (Array.isArray(own.enum)) return own.enum.includes(null);
  if (typeof own.type === 'string') return own.type === 'null';
  if (Array.isArray(own.type)) return own.type.includes('null');
  const inner = (branch: unknown) => allowsNull(branch, root, depth + 1);
  if (Array.isArray(own.allOf) && !own.allOf.every(inner)) return false;
  for (const key of ['anyOf', 'oneOf'])
    if (Array.isArray(own[key])) return (own[key] as unknown[]).some(inner);
  return true;
}

/** The one type a schema allows, null aside; undefined when there are several or none is named. */
function onlyType(schema: JsonObject): string | undefined {
  if (typeof schema.type === 'string') return schema.type;
  if (!Array.isArray(schema.type)) return undefined;
  const types = schema.type.filter(type => type !== 'null');
  return types.length === 1 ? String(types[0]) : undefined;
}

function dereference(schema: unknown, root: JsonObject): unknown {
  let current = schema;
  for (let hops = 0; hops < 10 && isObject(current) && typeof current.$ref === 'string'; hops++) {
    const name = /^#\/\$defs\/(.+)$/.exec(current.$ref)?.[1]?.replaceAll('~1', '/').replaceAll('~0', '~');
    current = name !== undefined && isObject(root.$defs) ? root.$defs[name] : true;
  }
  return current;
}
