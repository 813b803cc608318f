import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../shared/tools.ts';
import { createAjv } from './ajv.ts';
import { CHECK_MS, within } from './bounded.ts';

/** A larger schema is not compiled: it would take longer than the check is worth. */
const MAX_SCHEMA_LENGTH = 200_000;

const compiled = new WeakMap<JsonObject, ValidateFunction | 'unusable'>();

/**
 * Why a value does not fit a schema that a server wrote; undefined when it does, or when the schema cannot be used for
 * a check (not JSON Schema, too large, made to take for ever, references to elsewhere, which are never fetched).
 */
export function mismatch(schema: JsonObject, value: unknown): string | undefined {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = compile(schema) ?? 'unusable';
    compiled.set(schema, validate);
  }
  if (validate === 'unusable') return undefined;
  const check = validate;
  try {
    if (within(CHECK_MS, () => check(value))) return undefined;
  } catch {
    // It has no end, and would have none the next time.
    compiled.set(schema, 'unusable');
    return undefined;
  }
  return ajv.errorsText(check.errors?.slice(0, 3), { dataVar: 'it' });
}

function compile(schema: JsonObject): ValidateFunction | undefined {
  const { $schema: _dialect, $id: _id, ...bare } = schema;
  try {
    if (JSON.stringify(schema).length > MAX_SCHEMA_LENGTH) return undefined;
    return within(CHECK_MS, () => createAjv().compile(bare));
  } catch {
    return undefined;
  }
}

/** Only for turning errors into text. */
const ajv = new Ajv2020({ strict: false, logger: false });
