import { z } from 'zod';
import type { Usage } from './usage.ts';

const dollars = z.number().nonnegative().max(1_000_000);

/** In US dollars for a million tokens. */
export const Price = z.object({
  input: dollars,
  output: dollars,
  cacheRead: dollars,
  cacheWrite: dollars,
});
export type Price = z.infer<typeof Price>;

/** A person's own prices, by the model's id. */
export const Prices = z.record(z.string().min(1).max(200), Price);
export type Prices = z.infer<typeof Prices>;

/** A price that is another one for every token of a request whose prompt is longer than `over` tokens. */
interface ListPrice extends Price {
  long?: Price & { over: number };
}

/** When the list below was compared with the provider's. */
export const LIST_PRICES_DATE = '2026-12-01';

/** Anthropic's list prices, for a prompt cache of five minutes: https://platform.claude.com/docs/en/about-claude/pricing */
export const LIST_PRICES: Readonly<Record<string, ListPrice>> = {
  'claude-fable-5-1': { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 },
  'claude-fable-5': { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 },
  'claude-opus-5-5': { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  ...sameFor(['claude-opus-5', 'claude-opus-4-8', 'claude-opus-4-7', 'claude-opus-4-6', 'claude-opus-4-5'], {
    input: 5,
    output: 25,
    cacheRead: 0.5,
    cacheWrite: 6.25,
  }),
  'claude-sonnet-5-5': { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  'claude-sonnet-5': { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  'claude-sonnet-4-6': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    cacheWrite: 0.125,
    long: { over: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 },
  },
  'claude-haiku-4-5': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
};

/** The person's own price, else the list's; undefined where neither knows the model. */
export function priceOf(model: string, own: Prices): ListPrice | undefined {
  // An id with the date of its release is the same model.
  const undated = model.replace(/-20\d{6}$/, '');
  return [own, LIST_PRICES].flatMap(prices => [prices[model], prices[undated]]).find(Boolean);
}

/** What one request cost, in US dollars. */
export function costOf(usage: Usage, price: ListPrice): number {
  const { long } = price;
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  const { input, output, cacheRead, cacheWrite } = long && prompt > long.over ? long : price;
  const millionths =
    usage.input * input + usage.output * output + usage.cacheRead * cacheRead + usage.cacheWrite * cacheWrite;
  return millionths / 1_000_000;
}

function sameFor(models: readonly string[], price: ListPrice): Record<string, ListPrice> {
  return Object.fromEntries(models.map(model => [model, price]));
}
