import { z } from 'zod';
import { costOf, type Prices, priceOf } from './prices.ts';
import { cacheHitRate, promptTokens, Usage } from './usage.ts';

/** The usage of several answers. */
export const UsageSum = z.object({
  usage: Usage,
  answers: z.number().int(),
  /** In US dollars; without the answers whose price is not known. */
  cost: z.number(),
  /** How many answers came from a model without a known price. */
  unpriced: z.number().int(),
});
export type UsageSum = z.infer<typeof UsageSum>;

/** Adds up the answers that have a usage; each of them was one request. */
export function sumUsage(
  answers: Iterable<{ model?: string | undefined; usage?: Usage | undefined }>,
  prices: Prices,
): UsageSum {
  const sum: UsageSum = {
    usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
    answers: 0,
    cost: 0,
    unpriced: 0,
  };
  for (const { model, usage } of answers) {
    if (!usage) continue;
    sum.answers++;
    for (const part of ['input', 'cacheRead', 'cacheWrite', 'output'] as const)
      sum.usage[part] += usage[part];
    const price = model === undefined ? undefined : priceOf(model, prices);
    if (price) sum.cost += costOf(usage, price);
    else sum.unpriced++;
  }
  return sum;
}

/** Such as `12,345 tokens in (80 % from the cache), 678 out, $0.0123`. */
export function usageInWords({ usage, cost, unpriced, answers }: UsageSum): string {
  const rate = cacheHitRate(usage);
  const cached = rate === undefined ? '' : ` (${percent(rate)} from the cache)`;
  const counts = `${count(promptTokens(usage))} tokens in${cached}, ${count(usage.output)} out`;
  // A price that is not known is not guessed.
  return unpriced === answers ? counts : `${counts}, ${unpriced > 0 ? 'at least ' : ''}${dollars(cost)}`;
}

export function dollars(amount: number): string {
  return `$${amount.toFixed(amount === 0 || amount >= 0.1 ? 2 : 4)}`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function count(tokens: number): string {
  return tokens.toLocaleString('en');
}
