import { describe, expect, it } from 'vitest';
import { isCarriedExactly, isMultipleOf, parseDecimal } from './decimals.ts';

describe('decimal numbers', () => {
  it.each<[number, number, boolean]>([
    [0.3, 0.1, true],
    [0.35, 0.1, false],
    [-1.5, 0.5, true],
    [12345678.9, 0.1, true],
    [1e300, 1, true],
    [1e-7, 1e-8, true],
    [7, 5, false],
    [7, 0, true],
    [0, 5, true],
  ])('%d is a multiple of %d: %s', (value, step, yes) => {
    expect(isMultipleOf(value, step)).toBe(yes);
  });

  it.each<[string, number | undefined]>([
    ['1e3', 1000],
    ['+.5', 0.5],
    ['5.', 5],
    ['0x10', undefined],
    ['1_000', undefined],
    ['1e999', undefined],
    ['', undefined],
    ['Infinity', undefined],
  ])('%j is read as %d', (text, number) => {
    expect(parseDecimal(text)).toBe(number);
  });

  it.each<[string, boolean]>([
    ['9007199254740991', true],
    ['9007199254740993', false],
    ['9007199254740992', true],
    ['1e300', true],
    ['-1e21', true],
    ['0.1', true],
    [`${'0'.repeat(3000)}9007199254740993`, false],
  ])('%s arrives as it was typed: %s', (text, yes) => {
    expect(isCarriedExactly(text, Number(text))).toBe(yes);
  });
});
