// @ts-check
// How long a letter typed in the composer takes until the frame that shows it: while nothing happens, while frames are
// made but nothing else happens, and while a long answer streams, alternating. Where frames are made all the time, a
// letter waits for the next one; a window that rests makes one at once. `node bench/typing.mjs` prints medians and
// ratios. Nothing here is asserted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf } from './answer.mjs';
import { median, quantile, report, rounded } from './figures.mjs';
import { startStreaming } from './streaming.mjs';
import { withWindows } from './windows.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const LENGTH = 60_000;
const LETTERS = 120;

const temp = mkdtempSync(join(tmpdir(), 'parley-bench-'));
try {
  await withWindows(async launch => {
    /** @type {Record<'resting' | 'frames' | 'streaming', number[][]>} */
    const rounds = { resting: [], frames: [], streaming: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const parley = await startStreaming(launch, join(temp, `data-${round}`));
      // What is compiled and laid out for the first time is no part of typing.
      await typing(parley, LETTERS / 4);
      rounds.resting.push(await typing(parley, LETTERS));
      await parley.page.evaluate(() => {
        const frame = () => Reflect.set(globalThis, 'frame', requestAnimationFrame(frame));
        frame();
      });
      rounds.frames.push(await typing(parley, LETTERS));
      await parley.page.evaluate(() => cancelAnimationFrame(Reflect.get(globalThis, 'frame')));
      const streamed = parley.stream(answerOf(LENGTH));
      // Until the composer is empty again, and the answer has begun.
      await parley.page.getByRole('article', { name: 'Assistant' }).getByRole('heading').first().waitFor();
      rounds.streaming.push(await typing(parley, LETTERS));
      await streamed;
      await parley.close();
    }
    const row = (/** @type {string} */ figure, /** @type {(latencies: number[]) => number} */ of) => {
      const [resting, frames, streaming] = [rounds.resting, rounds.frames, rounds.streaming].map(own =>
        rounded(median(own.map(of))),
      );
      return {
        figure,
        resting,
        'only frames': frames,
        streaming,
        'streaming ÷ only frames': rounded(Number(streaming) / Number(frames)),
        'streaming ÷ resting': rounded(Number(streaming) / Number(resting)),
      };
    };
    report(
      'typing',
      `From a key to the frame with its letter, milliseconds, ${LETTERS} letters, medians of ${ROUNDS} rounds`,
      [
        row('median', median),
        row('95 %', latencies => quantile(latencies, 0.95)),
        row('worst', latencies => Math.max(...latencies)),
      ],
    );
  });
} finally {
  rmSync(temp, { recursive: true, force: true, maxRetries: 5 });
}

/** Types so many letters, and how long each took. @param {import('./streaming.mjs').Streaming} parley @param {number} count @returns {Promise<number[]>} */
async function typing({ page, composer }, count) {
  await composer.focus();
  await page.evaluate(() => {
    /** @type {number[]} */
    const latencies = [];
    Reflect.set(globalThis, 'latencies', latencies);
    const { port1, port2 } = new MessageChannel();
    /** @type {number[]} */
    const typed = [];
    port1.onmessage = () => latencies.push(...typed.splice(0).map(at => performance.now() - at));
    // The message comes right behind the frame.
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      typed.push(event.timeStamp);
      requestAnimationFrame(() => port2.postMessage(undefined));
    };
    window.addEventListener('keydown', onKey, { capture: true });
    Reflect.set(globalThis, 'stopTyping', () =>
      window.removeEventListener('keydown', onKey, { capture: true }),
    );
  });
  for (let at = 0; at < count; at++) {
    await page.keyboard.press('abcdefgh '[at % 9] ?? ' ');
    // Out of step with frames and with the pace of deltas.
    await sleep(60 + ((at * 7) % 41));
  }
  return page.evaluate(() => {
    Reflect.get(globalThis, 'stopTyping')();
    return Reflect.get(globalThis, 'latencies');
  });
}
