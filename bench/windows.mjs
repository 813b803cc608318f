// @ts-check
// Electron windows for the benchmarks, on a virtual display where there is none, and what their pages cost.
import { _electron } from 'playwright';
import { withVirtualDisplays } from '../scripts/setup/display.mjs';
import { ensureApp } from '../scripts/setup/index.mjs';
import { root } from '../scripts/setup/paths.mjs';

/**
 * @typedef {(args: string[], env?: Record<string, string>) => Promise<import('playwright').ElectronApplication>} Launch
 *
 * @typedef {object} Cost what the page's main thread did, in seconds
 * @property {number} busy in all
 * @property {number} script
 * @property {number} layout with styles
 * @property {number} longTasks how many took more than 50 ms
 */

/** Runs `work` with a way to start Electron apps. @param {(launch: Launch) => Promise<void>} work */
export async function withWindows(work) {
  const electron = await ensureApp({ forTests: true });
  await withVirtualDisplays(1, ([display]) =>
    work((args, env = {}) =>
      _electron.launch({
        executablePath: electron.binary,
        // Chromium's own sandbox cannot start as root.
        args: [...args, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
        cwd: root,
        env: {
          .../** @type {Record<string, string>} */ (process.env),
          .../** @type {Record<string, string>} */ (electron.env),
          ...(display ? { DISPLAY: display } : {}),
          ...env,
        },
      }),
    ),
  );
}

/** What `work` costs the page. @param {import('playwright').Page} page @param {() => Promise<void>} work @returns {Promise<Cost>} */
export async function costOf(page, work) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (/** @type {string} */ name) => metrics.find(one => one.name === name)?.value ?? 0;
  };
  await page.evaluate(() => {
    const counted = /** @type {{ longTasks?: number }} */ (globalThis);
    counted.longTasks = 0;
    new PerformanceObserver(list => {
      counted.longTasks = (counted.longTasks ?? 0) + list.getEntries().length;
    }).observe({ type: 'longtask' });
  });
  const before = await read();
  await work();
  const after = await read();
  const spent = (/** @type {string} */ name) => after(name) - before(name);
  return {
    busy: spent('TaskDuration'),
    script: spent('ScriptDuration'),
    layout: spent('LayoutDuration') + spent('RecalcStyleDuration'),
    longTasks: await page.evaluate(() => /** @type {{ longTasks?: number }} */ (globalThis).longTasks ?? 0),
  };
}
