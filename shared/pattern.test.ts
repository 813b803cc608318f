import { describe, expect, it } from 'vitest';
import { matchesPattern } from './pattern.ts';

describe('patterns of servers', () => {
  it.each<[string, string, boolean]>([
    ['^[A-Z]{2}\\d{4}$', 'AB1234', true],
    ['^[A-Z]{2}\\d{4}$', 'AB12', false],
    ['^(red|green)$', 'green', true],
    ['^\\p{L}+$', 'ñandú', true],
    ['^[\\w-]+$', 'a-b', true],
    ['^\\S+@\\S+$', 'a@b', true],
    ['^(?:\\d{3}-)?\\d{4}$', '555-1234', true],
    ['^https?://[^/]+/.*?$', 'https://a/b', true],
    ['^(?<day>mon|tue|wed|thu|fri|sat|sun)$', 'fri', true],
  ])('%s is checked against %s', (pattern, value, matches) => {
    expect(matchesPattern(pattern, value)).toBe(matches);
  });

  it.each(['(a+)+$', '^(a|aa)*$', '((a*)b?)+', '^(.*)*x$', '(a)\\1*', '(?:(a|b)c)*d'])(
    '%s could run for ages and is not run',
    pattern => {
      expect(matchesPattern(pattern, `${'a'.repeat(5_000)}!`)).toBeUndefined();
    },
  );

  it.each([`^${'(a|a)'.repeat(26)}$`, `^${'a?'.repeat(26)}${'a'.repeat(26)}$`, '^(a?){26}a{26}$'])(
    '%s doubles its time with each choice and is not run',
    pattern => {
      expect(matchesPattern(pattern, `${'a'.repeat(26)}!`)).toBeUndefined();
    },
  );

  it('is not run when many repetitions meet a long text', () => {
    expect(matchesPattern('a*a*a*a*b', 'a'.repeat(10_000))).toBeUndefined();
  });

  it('says nothing of a pattern that is none', () => {
    expect(matchesPattern('[', 'a')).toBeUndefined();
  });
});
