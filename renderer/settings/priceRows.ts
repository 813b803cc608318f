import type { Price, Prices } from '../../shared/prices.ts';

/** A price as it is typed. */
export type PriceRow = { id: number; model: string } & Record<keyof Price, string>;

export function priceRowsOf(prices: Prices): PriceRow[] {
  return Object.entries(prices).map(([model, { input, output, cacheRead, cacheWrite }], id) => ({
    id,
    model,
    input: String(input),
    output: String(output),
    cacheRead: String(cacheRead),
    cacheWrite: String(cacheWrite),
  }));
}

/** Why the rows cannot be saved, if so. */
export function problemOf(rows: readonly PriceRow[]): string | undefined {
  const models = rows.map(({ model }) => model.trim());
  if (models.includes('')) return 'Every price needs the id of its model.';
  const twice = models.find((model, at) => models.indexOf(model) !== at);
  if (twice !== undefined) return `There are two prices for ${twice}.`;
  const bad = rows.find(({ input, output, cacheRead, cacheWrite }) =>
    [input, output, cacheRead, cacheWrite].some(text => amountOf(text) === undefined),
  );
  return bad && `The price of ${bad.model} needs four amounts, such as 2.50.`;
}

/** Of rows without a problem. */
export function pricesOf(rows: readonly PriceRow[]): Prices {
  const amount = (text: string) => amountOf(text) ?? 0;
  return Object.fromEntries(
    rows.map(({ model, input, output, cacheRead, cacheWrite }) => [
      model.trim(),
      {
        input: amount(input),
        output: amount(output),
        cacheRead: amount(cacheRead),
        cacheWrite: amount(cacheWrite),
      },
    ]),
  );
}

function amountOf(text: string): number | undefined {
  const clean = text.trim().replace(/^\$/, '').replace(',', '.');
  return /^\d{1,6}(\.\d+)?$/.test(clean) ? Number(clean) : undefined;
}
