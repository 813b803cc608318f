import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isMultipleOf } from '../../shared/decimals.ts';
import { matchesPattern } from '../../shared/pattern.ts';

/**
 * A validator for one schema from outside (an instance would keep every schema it ever saw): tolerant of what it does
 * not know, silent, and safe from patterns that could take for ever, which it does not run. Decimal multiples are counted
 * as people count: 0.3 is one of 0.1. A property `constructor` is there only when somebody wrote it.
 */
export function createAjv(options: Pick<Options, 'allErrors'> = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true, ...options });
  addFormats.default(ajv);
  ajv.removeKeyword('pattern');
  ajv.addKeyword({
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    validate: (pattern: string, value: string) => matchesPattern(pattern, value) !== false,
    errors: false,
  });
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: (step: number, value: number) => isMultipleOf(value, step),
    errors: false,
  });
  return ajv;
}
