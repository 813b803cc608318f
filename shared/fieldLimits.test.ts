import { describe, expect, it } from 'vitest';
import { parseFields } from './elicitationSchema.ts';
import { limitsOf } from './fieldLimits.ts';

describe('the limits of a field', () => {
  it.each<[object, string | undefined]>([
    [{ type: 'string' }, undefined],
    [{ type: 'string', minLength: 1 }, undefined],
    [{ type: 'string', minLength: 3, maxLength: 50 }, '3 to 50 characters.'],
    [{ type: 'string', maxLength: 50 }, 'At most 50 characters.'],
    [{ type: 'integer', minimum: 1, maximum: 5 }, '1 to 5.'],
    [{ type: 'number', minimum: 0 }, 'At least 0.'],
    [{ type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 }, 'More than 0. In steps of 0.5.'],
    [{ type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 2 }, 'Choose 1 to 2.'],
    [{ type: 'array', items: { enum: ['a', 'b'] }, minItems: 2, maxItems: 2 }, 'Choose 2.'],
    [{ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, 'Choose at most 1.'],
    [{ type: 'boolean' }, undefined],
  ])('%j: %s', (property, words) => {
    const [field] = parseFields({ properties: { it: property } });
    expect(field && limitsOf(field)).toBe(words);
  });
});
