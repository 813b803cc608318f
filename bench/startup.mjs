// @ts-check
// Start-up time and memory of Parley beside an empty Electron window, alternating in the same run.
// `npm run bench` prints medians and ratios; nothing here is asserted.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/setup/paths.mjs';
import { median, report, rounded } from './figures.mjs';
import { withWindows } from './windows.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const temp = mkdtempSync(join(tmpdir(), 'parley-bench-'));

/** @typedef {{ windowMs: number, usableMs: number, megabytes: number, processes: number }} Sample */

try {
  const empty = emptyApp();
  /** @type {Record<'parley' | 'empty', Sample[]>} */
  const samples = { parley: [], empty: [] };
  await withWindows(async launch => {
    // One start more than counts: what is measured is an ordinary start, not the very first one with this data.
    for (let round = -1; round < ROUNDS; round++) {
      const ofEmpty = await measure(launch, [empty], page =>
        page.locator('body').waitFor({ state: 'attached' }),
      );
      const ofParley = await measure(launch, [root, '--data', join(temp, 'data')], page =>
        page.getByRole('textbox', { name: 'Message' }).waitFor(),
      );
      if (round < 0) continue;
      samples.empty.push(ofEmpty);
      samples.parley.push(ofParley);
    }
  });
  tell(samples);
} finally {
  rmSync(temp, { recursive: true, force: true, maxRetries: 5 });
}

/** @returns the folder of an app that opens one blank window */
function emptyApp() {
  const dir = mkdtempSync(join(temp, 'empty-'));
  writeFileSync(
    join(dir, 'package.json'),
    JSON.stringify({ name: 'parley-empty', version: '1.0.0', main: 'main.js' }),
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
 * @param {import('./windows.mjs').Launch} launch
 * @param {string[]} args
 * @param {(page: import('playwright').Page) => Promise<unknown>} usable
 * @returns {Promise<Sample>}
 */
async function measure(launch, args, usable) {
  const begin = performance.now();
  const app = await launch(args);
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
function tell(samples) {
  /** @type {(keyof Sample)[]} */
  const figures = ['windowMs', 'usableMs', 'megabytes', 'processes'];
  report(
    'startup',
    `Start to a usable composer, medians of ${ROUNDS} alternating starts`,
    figures.map(figure => {
      const [parley, empty] = [samples.parley, samples.empty].map(own =>
        median(own.map(sample => sample[figure])),
      );
      return {
        figure,
        Parley: rounded(Number(parley)),
        'empty window': rounded(Number(empty)),
        ratio: rounded(Number(parley) / Number(empty)),
      };
    }),
  );
}
