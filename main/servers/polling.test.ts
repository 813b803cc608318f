import { expect, it } from 'vitest';
import { pollPause } from './polling.ts';

it('waits at least as long as the answer is fresh, longer when nothing changes, and never without end', () => {
  expect(pollPause(0, 0, 0)).toBe(60_000);
  expect(pollPause(120_000, 0, 0)).toBe(120_000);
  expect(pollPause(0, 2, 0)).toBe(135_000);
  expect(pollPause(0, 100, 0)).toBe(900_000);
  expect(pollPause(86_400_000, 3, 0)).toBe(86_400_000);
});

it('spreads the looks of many', () => {
  expect(pollPause(0, 0, 1)).toBe(72_000);
});
