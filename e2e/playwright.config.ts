import { defineConfig, type ReporterDescription } from '@playwright/test';

/** Where `scripts/` wants the report it counts from. */
const report = process.env.PARLEY_E2E_REPORT;
const reporters: ReporterDescription[] = [['list']];
if (report) reporters.push(['json', { outputFile: report }]);

/** Virtual displays, one for each worker; without them all share the person's own. */
const displays = process.env.PARLEY_E2E_DISPLAYS?.split(' ') ?? [];
const mine = displays[Number(process.env.TEST_PARALLEL_INDEX)];
if (mine) process.env.DISPLAY = mine;

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  outputDir: '../test-results',
  // One window at a time on a display: they share the focus.
  workers: displays.length || 1,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: reporters,
});
