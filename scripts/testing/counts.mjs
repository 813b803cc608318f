/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

export const none = Object.freeze({ passed: 0, failed: 0, skipped: 0 });

/**
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number } | undefined} report
 *   vitest's json report
 * @returns {Counts}
 */
export function countVitest(report) {
  if (!report) return none;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number } } | undefined} report
 *   Playwright's json report; a flaky test did not pass
 * @returns {Counts}
 */
export function countPlaywright(report) {
  if (!report) return none;
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky, skipped };
}

/**
 * A runner that failed without a failed test (a file that does not load, a crash, no test at all) counts as one
 * failure: `0 failed` must mean that all is well.
 * @param {number} exitCode
 * @param {Counts} counts
 * @returns {Counts}
 */
export function settle(exitCode, counts) {
  const ranNothing = counts.passed + counts.failed === 0;
  return (exitCode !== 0 || ranNothing) && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** @param {Counts[]} all @returns {Counts} */
export function sum(...all) {
  return all.reduce((a, b) => ({
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  }));
}

/** `12 passed, 0 failed`, with the skipped if there are any. @param {Counts} counts */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
