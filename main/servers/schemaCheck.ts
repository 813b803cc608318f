import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../shared/tools.ts';
import { createAjv } from './ajv.ts';
import { CHECK_MS, isTame, within } from './bounded.ts';

/** A larger schema is not compiled: it would take longer than the check is worth. */
const MAX_SCHEMA_LENGTH = 200_000;

const compiled = new WeakMap<JsonObject, { validate: ValidateFunction; isTame: boolean } | 'unusable'>();

/**
 * Why a value does not fit a schema that a server wrote; undefined when it does, or when the schema cannot be used for
 * a check (not JSON Schema, too large, made to take for ever, references to elsewhere, which are never fetched).
 */
export function mismatch(schema: JsonObject, value: unknown): string | undefined {
  let check = compiled.get(schema);
  if (!check) {
    const validate = compile(schema);
    check = validate ? { validate, isTame: isTame(schema) } : 'unusable';
    compiled.set(schema, check);
  }
  if (check === 'unusable') return undefined;
  const { validate } = check;
  try {
    if (check.isTame ? validate(value) : within(CHECK_MS, () => validate(value))) return undefined;
  } catch {
    // It has no end, and would have none the next time.
    compiled.set(schema, 'unusable');
    return undefined;
  }
  return ajv.errorsText(validate.errors?.slice(0, 3), { dataVar: 'it' });
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
