import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { matchesPattern } from '../../shared/pattern.ts';
import type { JsonObject } from '../../shared/tools.ts';

/** A larger schema is not compiled: it would take longer than the check is worth. */
const MAX_SCHEMA_LENGTH = 200_000;

const compiled = new WeakMap<JsonObject, ValidateFunction | 'unusable'>();

/**
 * Why a value does not fit a schema that a server wrote; undefined when it does, or when the schema cannot be used for
 * a check (not JSON Schema, too large, references to elsewhere, which are never fetched).
 */
export function mismatch(schema: JsonObject, value: unknown): string | undefined {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = compile(schema) ?? 'unusable';
    compiled.set(schema, validate);
  }
  if (validate === 'unusable' || validate(value)) return undefined;
  return ajv.errorsText(validate.errors?.slice(0, 3), { dataVar: 'it' });
}

function compile(schema: JsonObject): ValidateFunction | undefined {
  if (JSON.stringify(schema).length > MAX_SCHEMA_LENGTH) return undefined;
  const { $schema: _dialect, $id: _id, ...bare } = schema;
  try {
    return createAjv().compile(bare);
  } catch {
    return undefined;
  }
}

/** One for each schema: an instance would keep every schema it ever saw. */
function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, logger: false });
  addFormats.default(ajv);
  // A pattern comes from the server and runs here: one that could take for ever is not run.
  ajv.removeKeyword('pattern');
  ajv.addKeyword({
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    validate: (pattern: string, value: string) => matchesPattern(pattern, value) !== false,
    errors: false,
  });
  return ajv;
}

const ajv = new Ajv2020({ strict: false, logger: false });
