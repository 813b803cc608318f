import { describe, expect, it } from 'vitest';
import { costOf, priceOf } from './prices.ts';
import type { Usage } from './usage.ts';
import { sumUsage, usageInWords } from './usageSum.ts';

const usage = (more: Partial<Usage> = {}): Usage => ({
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  ...more,
});

describe('what answers cost', () => {
  it('goes by the list, or by the price that the person set', () => {
    const million = usage({ input: 1_000_000, output: 1_000_000 });
    const cost = (model: string, own = {}) => {
      const price = priceOf(model, own);
      return price && costOf(million, price);
    };
    expect(cost('claude-opus-5-5')).toBe(24);
    expect(cost('claude-haiku-4-5-20251001')).toBe(6);
    expect(
      cost('claude-opus-5-5', { 'claude-opus-5-5': { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } }),
    ).toBe(3);
    expect(cost('claude-opus-5-5-turbo')).toBeUndefined();
    expect(cost('llama')).toBeUndefined();
  });

  it('is another one for every token of a long prompt, where the list says so', () => {
    const price = priceOf('claude-haiku-5-5', {});
    expect(price && costOf(usage({ cacheRead: 100_000 }), price)).toBeCloseTo(0.001);
    expect(price && costOf(usage({ cacheRead: 100_000, input: 1 }), price)).toBeCloseTo(0.0050005);
  });

  it('is not guessed: without any price there is none, with some it is a lower bound', () => {
    const known = { model: 'claude-opus-5-5', usage: usage({ input: 250, cacheRead: 750, output: 10_000 }) };
    const unknown = { model: 'llama', usage: usage({ input: 1000, output: 5 }) };
    expect(usageInWords(sumUsage([known, { model: 'x' }], {}))).toBe(
      '1,000 tokens in (75 % from the cache), 10,000 out, $0.20',
    );
    expect(usageInWords(sumUsage([unknown], {}))).toBe('1,000 tokens in (0 % from the cache), 5 out');
    expect(usageInWords(sumUsage([known, unknown], {}))).toContain('at least $0.20');
  });
});
