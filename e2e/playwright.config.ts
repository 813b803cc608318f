import { defineConfig, type ReporterDescription } from '@playwright/test';

/** Where `scripts/` wants the report it counts from. */
const report = process.env.PARLEY_E2E_REPORT;
const reporters: ReporterDescription[] = [['list']];
if (report) reporters.push(['json', { outputFile: report }]);

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  outputDir: '../test-results',
  // One window at a time: they share the display and the focus.
  workers: 1,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: reporters,
});
