import { expect, it } from 'vitest';
import { priceRowsOf, pricesOf, problemOf } from './priceRows.ts';

const row = { id: 0, model: 'm', input: '1', output: '2', cacheRead: '0', cacheWrite: '1.25' };

it('typed prices are taken in the ways people write them, and refused with the reason', () => {
  const prices = { m: { input: 2.5, output: 10, cacheRead: 0.2, cacheWrite: 2.5 } };
  expect(pricesOf(priceRowsOf(prices))).toEqual(prices);
  expect(problemOf([row])).toBeUndefined();
  expect(pricesOf([{ ...row, model: ' m ', input: '$2,50' }])).toMatchObject({ m: { input: 2.5 } });
  expect(problemOf([{ ...row, model: ' ' }])).toContain('id of its model');
  expect(problemOf([row, { ...row, id: 1, model: 'm ' }])).toContain('two prices for m');
  for (const wrong of ['', '-1', 'cheap', '1e9'])
    expect(problemOf([{ ...row, output: wrong }])).toContain('four amounts');
});
