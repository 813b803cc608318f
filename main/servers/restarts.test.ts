import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Restarts } from './restarts.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('leaves a server alone that has never been ready', () => {
  const restarts = new Restarts(undefined, () => 0);
  restarts.begin();
  expect(restarts.failed(() => undefined, { isAway: false })).toBeUndefined();
});

it('starts one that had been ready again with growing pauses, a few times, then no more', () => {
  const restarts = new Restarts(undefined, () => 0);
  const start = vi.fn();
  restarts.begin();
  restarts.succeeded();
  const pauses: (number | undefined)[] = [];
  for (let death = 0; death < 7; death++) {
    const pause = restarts.failed(start, { isAway: false });
    pauses.push(pause);
    vi.advanceTimersByTime(pause ?? 3_600_000);
    // Every second time it comes up, only to die again at once.
    if (death % 2 === 0 && pause !== undefined) restarts.succeeded();
  }
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, undefined, undefined]);
  expect(start).toHaveBeenCalledTimes(5);
});

it('tries one that is only out of reach without end', () => {
  const restarts = new Restarts(undefined, () => 0);
  restarts.begin();
  restarts.succeeded();
  const pauses = Array.from({ length: 8 }, () => restarts.failed(() => undefined, { isAway: true }));
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 60_000, 60_000, 60_000]);
});

it('brings those that died together back at different moments, none before its time', () => {
  const pauses = Array.from({ length: 20 }, () => {
    const restarts = new Restarts();
    restarts.begin();
    restarts.succeeded();
    return restarts.failed(() => undefined, { isAway: false }) ?? 0;
  });
  expect(new Set(pauses).size).toBeGreaterThan(1);
  for (const pause of pauses) {
    expect(pause).toBeGreaterThanOrEqual(1000);
    expect(pause).toBeLessThanOrEqual(1200);
  }
});

it('begins from the beginning after a stable minute, and when the person asks', () => {
  const restarts = new Restarts(undefined, () => 0);
  restarts.begin();
  restarts.succeeded();
  expect([
    restarts.failed(() => undefined, { isAway: false }),
    restarts.failed(() => undefined, { isAway: false }),
  ]).toEqual([1000, 2000]);
  restarts.succeeded();
  vi.advanceTimersByTime(60_001);
  expect(restarts.failed(() => undefined, { isAway: false })).toBe(1000);
  restarts.begin();
  restarts.succeeded();
  expect(restarts.failed(() => undefined, { isAway: false })).toBe(1000);
});

it('does not start what was cancelled', () => {
  const restarts = new Restarts(undefined, () => 0);
  const start = vi.fn();
  restarts.begin();
  restarts.succeeded();
  restarts.failed(start, { isAway: false });
  restarts.cancel();
  vi.advanceTimersByTime(3_600_000);
  expect(start).not.toHaveBeenCalled();
});
