// @ts-check
// Start-up time and memory of Parley beside an empty Electron window, alternating in the same run.
// `npm run bench` prints medians and ratios; nothing here is asserted.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron } from 'playwright';

const ROUNDS = 7;
const root = resolve(import.meta.dirname, '..');
const temp = mkdtempSync(join(tmpdir(), 'parley-bench-'));

/** @typedef {{ windowMs: number, usableMs: number, megabytes: number, processes: number }} Sample */

try {
  const empty = emptyApp();
  /** @type {Record<'parley' | 'empty', Sample[]>} */
  const samples = { parley: [], empty: [] };
  for (let round = 0; round < ROUNDS; round++) {
    samples.empty.push(await measure([empty], page => page.locator('body').waitFor({ state: 'attached' })));
    // The data directory stays: what is measured is an ordinary start, not the very first one.
    samples.parley.push(
      await measure([root, '--data', join(temp, 'data')], page =>
        page.getByRole('textbox', { name: 'Message' }).waitFor(),
      ),
    );
  }
  report(samples);
} finally {
  rmSync(temp, { recursive: true, force: true, maxRetries: 5 });
}

/** @returns the folder of an app that opens one blank window */
function emptyApp() {
  const dir = mkdtempSync(join(temp, 'empty-'));
  writeFileSync(
    join(dir, 'package.json'),
    JSON.stringify({ name: 'empty', version: '1.0.0', main: 'main.js' }),
  );
  writeFileSync(
    join(dir, 'main.js'),
    `const { app, BrowserWindow } = require('electron');
     app.setPath('userData', ${JSON.stringify(join(dir, 'data'))});
     app.whenReady().then(() => new BrowserWindow({ width: 1180, height: 800 }).loadURL('data:text/html,<title>empty</title>'));
     app.on('window-all-closed', () => app.quit());`,
  );
  return dir;
}

/**
 * @param {string[]} args
 * @param {(page: import('playwright').Page) => Promise<unknown>} usable
 * @returns {Promise<Sample>}
 */
async function measure(args, usable) {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const begin = performance.now();
  const app = await _electron.launch({ args: [...args, ...sandbox], cwd: root });
  const page = await app.firstWindow();
  const windowMs = performance.now() - begin;
  await usable(page);
  const usableMs = performance.now() - begin;
  // Asynchronous, because the answer of a plain function may be lost to the garbage collection (e2e/support/inMain.ts).
  const metrics = await app.evaluate(async ({ app }) => app.getAppMetrics());
  await app.close();
  const kilobytes = metrics.reduce((sum, metric) => sum + metric.memory.workingSetSize, 0);
  return { windowMs, usableMs, megabytes: kilobytes / 1024, processes: metrics.length };
}

/** @param {Record<'parley' | 'empty', Sample[]>} samples */
function report(samples) {
  /** @type {(keyof Sample)[]} */
  const figures = ['windowMs', 'usableMs', 'megabytes', 'processes'];
  console.log(`Medians of ${ROUNDS} alternating starts`);
  console.table(
    figures.map(figure => {
      const [parley, empty] = [median(samples.parley, figure), median(samples.empty, figure)];
      return { figure, parley: round(parley), 'empty window': round(empty), ratio: round(parley / empty) };
    }),
  );
}

/** @param {Sample[]} samples @param {keyof Sample} figure */
function median(samples, figure) {
  const sorted = samples.map(sample => sample[figure]).sort((a, b) => a - b);
  return /** @type {number} */ (sorted[Math.floor(sorted.length / 2)]);
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 100) / 100;
}
