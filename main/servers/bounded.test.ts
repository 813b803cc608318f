import { expect, it } from 'vitest';
import type { JsonObject } from '../../shared/tools.ts';
import { isTame, within } from './bounded.ts';

it('gives what the work gives, and throws what it throws', () => {
  expect(within(1000, () => ({ a: 1 }))).toEqual({ a: 1 });
  expect(() => within(1000, () => JSON.parse('{'))).toThrow(SyntaxError);
});

it.each<[string, () => unknown]>([
  [
    'a loop',
    () => {
      for (;;);
    },
  ],
  ['a regular expression', () => /^(a|a)*$/.test(`${'a'.repeat(60)}b`)],
])('ends %s that has no end', (_what, work) => {
  expect(() => within(50, work)).toThrow(/timed out/);
  expect(within(1000, () => 'still here')).toBe('still here');
});

it.each<[object, boolean]>([
  [{ type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { enum: [1, null] }] } } }, true],
  [{ items: { $ref: '#/$defs/a' }, $defs: { a: {} } }, false],
  [{ $dynamicRef: '#a' }, false],
  [{ properties: { a: { pattern: '(a|a)*' } } }, false],
  [{ patternProperties: { '(a|a)*': {} } }, false],
  [{ uniqueItems: true }, false],
  [{ enum: Array(10_000).fill('long') }, false],
])('knows which schemas cannot take long', (schema, expected) => {
  expect(isTame(schema as JsonObject)).toBe(expected);
});
