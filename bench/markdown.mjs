// @ts-check
// A long answer that streams into Parley's own window, beside react-markdown rendered anew once per frame and
// streamdown fed once per frame: what it costs the page's main thread, and whether the same is shown in the end.
// `node bench/markdown.mjs` prints medians and ratios; BENCH_ROUNDS=1 is a first look. Nothing here is asserted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'vite';
import { inRoot } from '../scripts/setup/paths.mjs';
import { answerOf } from './answer.mjs';
import { median, report, rounded } from './figures.mjs';
import { ensurePeers } from './peers.mjs';
import { CHARACTERS_PER_SECOND, startStreaming } from './streaming.mjs';
import { costOf, withWindows } from './windows.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const LENGTH = 60_000;
/** For colours, and whatever else comes after the last delta; in milliseconds. */
const SETTLING = 1500;

const TWICE = 'Parley, twice as long';

/** @typedef {{ elements: Record<string, number>, text: string }} Shown */
/** @typedef {import('./windows.mjs').Cost & { shown: Shown }} Sample */

const temp = mkdtempSync(join(tmpdir(), 'parley-bench-'));
let starts = 0;
try {
  await ensurePeers();
  await buildPage();
  await withWindows(async launch => {
    /** @type {[string, () => Promise<Sample>][]} */
    const contenders = [
      ['react-markdown', () => peer(launch, 'react-markdown')],
      ['streamdown', () => peer(launch, 'streamdown')],
      ['Parley', () => parley(launch, LENGTH)],
      [TWICE, () => parley(launch, 2 * LENGTH)],
    ];
    /** @type {Record<string, Sample[]>} */
    const samples = Object.fromEntries(contenders.map(([name]) => [name, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, measure] of contenders) samples[name]?.push(await measure());
    }
    tell(samples);
  });
} finally {
  rmSync(temp, { recursive: true, force: true, maxRetries: 5 });
}

/** The page of the peers. */
async function buildPage() {
  await build({
    configFile: false,
    logLevel: 'error',
    root: inRoot('bench/peers/markdown'),
    base: './',
    // Everybody on the same React.
    resolve: {
      alias: ['react', 'react-dom'].map(name => ({
        find: new RegExp(`^${name}(?=/|$)`),
        replacement: inRoot('node_modules', name),
      })),
    },
    build: { outDir: join(temp, 'page'), target: 'chrome130', chunkSizeWarningLimit: 10_000 },
  });
}

/** @param {import('./windows.mjs').Launch} launch @param {string} name @returns {Promise<Sample>} */
async function peer(launch, name) {
  const app = await launch([inRoot('bench/peers/markdown/window'), join(temp, 'page/index.html'), name]);
  const page = await app.firstWindow();
  await page.locator('#answer').waitFor({ state: 'attached' });
  const cost = await costOf(page, async () => {
    // Asynchronous, because the answer of a plain function may be lost to the garbage collection (e2e/support/inMain.ts).
    await app.evaluate(
      async (_electron, [text, perSecond]) => Reflect.get(globalThis, 'feed')(text, perSecond),
      [answerOf(LENGTH), CHARACTERS_PER_SECOND],
    );
    await sleep(SETTLING);
  });
  const shown = await page.locator('#answer').evaluate(shownIn);
  await app.close();
  return { ...cost, shown };
}

/** @param {import('./windows.mjs').Launch} launch @param {number} length @returns {Promise<Sample>} */
async function parley(launch, length) {
  const { page, stream, close } = await startStreaming(launch, join(temp, `data-${starts++}`));
  const cost = await costOf(page, async () => {
    await stream(answerOf(length));
    await sleep(SETTLING);
  });
  const shown = await page
    .getByRole('article', { name: 'Assistant' })
    .locator('[class*=markdown]')
    .evaluate(shownIn);
  await close();
  return { ...cost, shown };
}

/**
 * How many of each element are in an answer, and its text. Left out is what Parley adds around Markdown: the frame and
 * bar of code, the colours within it, the box in which a wide table scrolls. Runs in the page.
 * @param {Element} answer
 * @returns {Shown}
 */
function shownIn(answer) {
  const copy = /** @type {Element} */ (answer.cloneNode(true));
  for (const bar of copy.querySelectorAll('div:has(+ pre)')) bar.remove();
  for (const box of copy.querySelectorAll('div')) box.replaceWith(...box.childNodes);
  for (const code of copy.querySelectorAll('pre code')) code.replaceChildren(code.textContent ?? '');
  /** @type {Record<string, number>} */
  const elements = {};
  for (const { localName } of copy.querySelectorAll('*'))
    elements[localName] = (elements[localName] ?? 0) + 1;
  return { elements, text: (copy.textContent ?? '').replace(/\s+/g, '') };
}

/** @param {Record<string, Sample[]>} samples */
function tell({ [TWICE]: twice = [], ...samples }) {
  const med = (/** @type {Sample[] | undefined} */ own, /** @type {'busy' | 'script' | 'layout'} */ figure) =>
    median((own ?? []).map(sample => sample[figure]));
  const shown = (/** @type {Sample[] | undefined} */ own) => JSON.stringify(own?.map(({ shown }) => shown));
  const ratio = (/** @type {Sample[]} */ own, /** @type {string} */ peer) =>
    rounded(med(own, 'busy') / med(samples[peer], 'busy'));
  report(
    'markdown',
    `An answer of ${LENGTH / 1000} KB, ${CHARACTERS_PER_SECOND / 1000} KB a second: seconds of the page's main thread, medians of ${ROUNDS}`,
    Object.entries(samples).map(([contender, own]) => ({
      contender,
      busy: rounded(med(own, 'busy')),
      'busy ÷ react-markdown': ratio(own, 'react-markdown'),
      'busy ÷ streamdown': ratio(own, 'streamdown'),
      script: rounded(med(own, 'script')),
      layout: rounded(med(own, 'layout')),
      'long tasks, worst run': Math.max(...own.map(({ longTasks }) => longTasks)),
      'shows what react-markdown shows': shown(own) === shown(samples['react-markdown']),
    })),
  );
  report('markdown-growth', 'Parley at twice the length', [
    {
      'script ÷ once': rounded(med(twice, 'script') / med(samples.Parley, 'script')),
      'busy ÷ once': rounded(med(twice, 'busy') / med(samples.Parley, 'busy')),
      'long tasks, worst run': Math.max(...twice.map(({ longTasks }) => longTasks)),
    },
  ]);
  report(
    'markdown-elements',
    'How many of each element are there in the end',
    Object.keys(samples['react-markdown']?.[0]?.shown.elements ?? {}).map(element => ({
      element,
      ...Object.fromEntries(
        Object.entries(samples).map(([name, [first]]) => [name, first?.shown.elements[element] ?? 0]),
      ),
    })),
  );
}
