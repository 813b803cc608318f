import { describe, expect, it } from 'vitest';
import { pauseAfter, pauseUntil, retryAfterMs } from './retry.ts';

const policy = { attempts: 5, firstPauseMs: 1000, longestPauseMs: 3000 };

describe('the pause before another attempt', () => {
  it('grows up to a limit and ends after the last attempt', () => {
    const pauses = [1, 2, 3, 4].map(attempt => pauseAfter(attempt, undefined, policy) ?? Number.NaN);
    const [first, second, third, fourth] = pauses;
    expect(first).toBeGreaterThanOrEqual(750);
    expect(first).toBeLessThanOrEqual(1000);
    expect(second).toBeGreaterThanOrEqual(1500);
    expect(third).toBeGreaterThanOrEqual(2250);
    expect(Math.max(third ?? 0, fourth ?? 0)).toBeLessThanOrEqual(3000);
    expect(pauseAfter(5, undefined, policy)).toBeUndefined();
  });

  it('is what the server asks for, unless nobody would wait so long', () => {
    expect(pauseAfter(1, 42_000, policy)).toBe(42_000);
    expect(pauseAfter(1, 3_600_000, policy)).toBeUndefined();
  });

  it.each([
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('is read from %j', (headers, ms) => {
    expect(retryAfterMs(new Headers(headers as Record<string, string>))).toBe(ms);
  });

  it('ends at once when it is stopped', async () => {
    const stop = new AbortController();
    const pausing = pauseUntil(Date.now() + 3_600_000, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(pausing).rejects.toThrow('stopped');
    await expect(pauseUntil(0, stop.signal)).rejects.toThrow('stopped');
  });
});
