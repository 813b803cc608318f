// The two suites, run with a report to a file beside what they print, so that their numbers can be summed.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withVirtualDisplays } from '../setup/display.mjs';
import { inRoot } from '../setup/paths.mjs';
import { run } from '../setup/run.mjs';
import { countPlaywright, countVitest, settle } from './counts.mjs';

/** @typedef {import('./counts.mjs').Counts} Counts */

/** Windows that are tested at the same time where each can have a display of its own. */
const AT_ONCE = 2;

/** Unit and integration tests. @param {string[]} args vitest's own @returns {Promise<Counts>} */
export function runVitest(args) {
  return withReport(async report => {
    const { code } = await run(
      process.execPath,
      [
        inRoot('node_modules/vitest/vitest.mjs'),
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
        ...args,
      ],
      {},
    );
    return settle(code, countVitest(readReport(report)));
  });
}

/**
 * End-to-end tests in the real window.
 * @param {import('../setup/electron.mjs').Electron} electron
 * @param {string[]} args Playwright's own
 * @returns {Promise<Counts>}
 */
export function runPlaywright(electron, args) {
  return withVirtualDisplays(AT_ONCE, displays =>
    withReport(async report => {
      const env = { ...process.env, ...electron.env, PARLEY_E2E_REPORT: report };
      const { code } = await run(
        process.execPath,
        [
          inRoot('node_modules/@playwright/test/cli.js'),
          'test',
          '--config',
          inRoot('e2e/playwright.config.ts'),
          ...args,
        ],
        { env: displays.length > 0 ? { ...env, PARLEY_E2E_DISPLAYS: displays.join(' ') } : env },
      );
      return settle(code, countPlaywright(readReport(report)));
    }),
  );
}

/**
 * @template T
 * @param {(file: string) => Promise<T>} work
 */
async function withReport(work) {
  const dir = mkdtempSync(path.join(tmpdir(), 'parley-report-'));
  try {
    return await work(path.join(dir, 'report.json'));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** @param {string} file @returns {any} undefined if the runner died before it wrote one */
function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
