import { describe, expect, it } from 'vitest';
import { matchesQuery } from './matching.ts';

describe('a query in a list', () => {
  it.each([
    ['Österreich', 'oster', true],
    ['New Zealand', 'zea new', true],
    ['New Zealand', 'old', false],
    ['anything', '', true],
  ])('%s has %j: %s', (text, query, yes) => {
    expect(matchesQuery(text, query)).toBe(yes);
  });
});
