// @ts-check
// Opening a conversation of 10,000 messages beside one of 100, in the real window, alternating: the time until its last
// message is painted, and the memory of the page. `node bench/conversations.mjs` prints medians and ratios.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../scripts/setup/paths.mjs';
import { median, report, rounded } from './figures.mjs';
import { withWindows } from './windows.mjs';

const ROUNDS = 9;
const lengths = { Short: 100, Long: 10_000 };
const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));

try {
  /** @type {{ module: typeof import('../e2e/support/longConversation.ts') }} */
  const { module } = await runnerImport(join(root, 'e2e/support/longConversation.ts'));
  module.writeConversations(dataDir, lengths);
  await withWindows(measure);
} finally {
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

/** @param {import('./windows.mjs').Launch} launch */
async function measure(launch) {
  const app = await launch([root, '--data', dataDir]);
  const page = await app.firstWindow();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  /** @type {Record<string, { openMs: number[], heapMb: number[], nodes: number[] }>} */
  const samples = {
    Short: { openMs: [], heapMb: [], nodes: [] },
    Long: { openMs: [], heapMb: [], nodes: [] },
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [title, length] of Object.entries(lengths)) {
      await page.getByRole('button', { name: 'New conversation' }).click();
      await page.getByRole('log').waitFor({ state: 'detached' });
      const openMs = await page.evaluate(opened, [title, `Answer ${length - 1}:`]);
      // Whatever is fetched behind what is seen is measured too.
      await page.waitForTimeout(1500);
      await session.send('HeapProfiler.collectGarbage');
      const { metrics } = await session.send('Performance.getMetrics');
      const metric = (/** @type {string} */ name) => metrics.find(one => one.name === name)?.value ?? 0;
      samples[title]?.openMs.push(openMs);
      samples[title]?.heapMb.push(metric('JSHeapUsedSize') / 1e6);
      samples[title]?.nodes.push(metric('Nodes'));
    }
  }
  await app.close();
  const rows = /** @type {const} */ (['openMs', 'heapMb', 'nodes']).map(figure => {
    const [short, long] = [median(samples.Short?.[figure] ?? []), median(samples.Long?.[figure] ?? [])];
    return {
      figure,
      '100 messages': rounded(short),
      '10,000 messages': rounded(long),
      ratio: rounded(long / short),
    };
  });
  report('conversations', `Opening a conversation, medians of ${ROUNDS}`, rows);
}

/** From the click to the frame that shows the last message; runs in the page. @param {string[]} given */
async function opened([title, last]) {
  const button = [...document.querySelectorAll('nav button')].find(one => one.textContent?.trim() === title);
  const begin = performance.now();
  /** @type {HTMLElement} */ (button).click();
  const isThere = () =>
    [...document.querySelectorAll('[role=log] article')].at(-1)?.textContent?.includes(last ?? '');
  while (!isThere()) await new Promise(requestAnimationFrame);
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  return performance.now() - begin;
}
