import { expect, it } from 'vitest';
import { SamplingBudget } from './samplingBudget.ts';

it('a server may ask ten times in a minute, and again when the minute is over', () => {
  let now = 1_000_000;
  const budget = new SamplingBudget(() => now);
  for (let count = 0; count < 10; count++) budget.ask();
  expect(() => budget.ask()).toThrow(/10 times in a minute/);
  now += 60_001;
  budget.ask();
});

it('a server may use 200,000 tokens in an hour; what was refused does not count', () => {
  let now = 1_000_000;
  const budget = new SamplingBudget(() => now);
  budget.spend(150_000);
  expect(() => budget.spend(60_000)).toThrow(/200000 tokens in an hour/);
  budget.spend(50_000);
  expect(() => budget.spend(1)).toThrow();
  now += 3_600_001;
  budget.spend(200_000);
});
