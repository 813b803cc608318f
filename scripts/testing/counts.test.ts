import { describe, expect, it } from 'vitest';
import { closingLine, countPlaywright, countVitest, none, settle, sum } from './counts.mjs';

describe('counts', () => {
  it("reads vitest's report", () => {
    const report = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };
    expect(countVitest(report)).toEqual({ passed: 5, failed: 1, skipped: 3 });
  });

  it("reads Playwright's report, in which a flaky test failed", () => {
    const report = { stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 } };
    expect(countPlaywright(report)).toEqual({ passed: 3, failed: 2, skipped: 2 });
  });

  it('counts a runner that failed without a failed test as one failure', () => {
    expect(settle(1, { passed: 4, failed: 0, skipped: 0 }).failed).toBe(1);
    expect(settle(1, countVitest(undefined)).failed).toBe(1);
  });

  it('counts a run of no tests as one failure', () => {
    expect(settle(0, none).failed).toBe(1);
  });

  it('leaves the numbers of an ordinary run alone', () => {
    expect(settle(0, { passed: 4, failed: 0, skipped: 1 })).toEqual({ passed: 4, failed: 0, skipped: 1 });
    expect(settle(1, { passed: 4, failed: 2, skipped: 0 })).toEqual({ passed: 4, failed: 2, skipped: 0 });
  });

  it('sums and says them in one line', () => {
    const total = sum({ passed: 1, failed: 0, skipped: 0 }, { passed: 2, failed: 0, skipped: 0 });
    expect(closingLine(total)).toBe('3 passed, 0 failed');
    expect(closingLine({ ...total, skipped: 2 })).toBe('3 passed, 0 failed, 2 skipped');
  });
});
