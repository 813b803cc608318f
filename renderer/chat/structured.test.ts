import { describe, expect, it } from 'vitest';
import { jsonIn, resultSize, tableOf, withoutRepetition } from './structured.ts';

describe('a table', () => {
  it('is a list of flat objects, with the columns of all of them', () => {
    const rows = [{ a: 1 }, { a: 2, b: null }];
    expect(tableOf(rows)).toEqual({ columns: ['a', 'b'], rows, rest: undefined });
  });

  it('is also the one list in an object; what stands beside it is kept', () => {
    const rows = [{ a: 1 }];
    expect(tableOf({ rows, total: 1 })).toEqual({ columns: ['a'], rows, rest: { total: 1 } });
    expect(tableOf({ rows })?.rest).toBeUndefined();
  });

  it.each([
    ['a number', 5],
    ['an empty list', []],
    ['a list of numbers', [1, 2]],
    ['objects with something inside', [{ a: { b: 1 } }]],
    ['objects without any key', [{}, {}]],
    ['two lists', { a: [{ x: 1 }], b: [{ x: 1 }] }],
    ['more columns than can be read', [Object.fromEntries(Array.from({ length: 25 }, (_, at) => [at, at]))]],
  ])('is not %s', (_, value) => {
    expect(tableOf(value)).toBeUndefined();
  });
});

describe('JSON in a text', () => {
  it('is an object or a list, and nothing else', () => {
    expect(jsonIn(' {"a": [1]}\n')).toEqual({ a: [1] });
    expect(jsonIn('[1]')).toEqual([1]);
    for (const text of ['5', '"a"', '{half', '[see below] and so on', ''])
      expect(jsonIn(text)).toBeUndefined();
  });
});

describe('a result', () => {
  it('leaves out the text that repeats its structured part, in whatever order', () => {
    const other = { type: 'text', text: 'Two rows.' };
    const content = [other, { type: 'text', text: '{"b": 2, "a": [1]}' }];
    expect(withoutRepetition({ content, structuredContent: { a: [1], b: 2 } })).toEqual([other]);
    expect(withoutRepetition({ content, structuredContent: { a: [1] } })).toEqual(content);
    expect(withoutRepetition({ content })).toEqual(content);
  });

  it('has a size: of its texts, its data and its structured part', () => {
    const content = [
      { type: 'text', text: 'é' },
      { type: 'image', data: 'AAAA' },
      { type: 'resource', resource: { uri: 'x:/', blob: 'AAAAAAAA' } },
    ];
    expect(resultSize({ content, structuredContent: { a: 1 } })).toBe(2 + 3 + 6 + 7);
  });
});
