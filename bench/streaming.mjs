// @ts-check
// Parley's own window with a model that streams long answers.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { inRoot, root } from '../scripts/setup/paths.mjs';

/** Characters of one delta. */
const DELTA = 4;
const DELTAS_PER_SECOND = 1000;
export const CHARACTERS_PER_SECOND = DELTA * DELTAS_PER_SECOND;

/** @typedef {Awaited<ReturnType<typeof startStreaming>>} Streaming */

/**
 * Starts Parley on a new data directory, with an endpoint on loopback.
 * @param {import('./windows.mjs').Launch} launch
 * @param {string} dataDir
 */
export async function startStreaming(launch, dataDir) {
  /** @type {{ module: typeof import('../e2e/support/messagesEndpoint.ts') }} */
  const { module } = await runnerImport(inRoot('e2e/support/messagesEndpoint.ts'));
  const endpoint = await module.startMessagesEndpoint({ title: 'Benchmark' });
  mkdirSync(dataDir, { recursive: true });
  // Without the sample server that a newcomer finds.
  writeFileSync(join(dataDir, 'servers.json'), '{}');
  const app = await launch([root, '--data', dataDir], {
    ANTHROPIC_API_KEY: 'sk-bench',
    ANTHROPIC_BASE_URL: endpoint.url,
  });
  const page = await app.firstWindow();
  const composer = page.getByRole('textbox', { name: 'Message' });
  await composer.waitFor();
  return {
    page,
    composer,
    /** Asks for an answer. @param {string} text @returns when its last delta was sent */
    async stream(text) {
      /** @type {() => void} */
      let done = () => {};
      const sent = new Promise(resolve => {
        done = () => resolve(undefined);
      });
      endpoint.script.push({
        events: {
          *[Symbol.iterator]() {
            yield module.messageStart();
            yield { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
            yield* paced(text);
            yield { type: 'content_block_stop', index: 0 };
            yield* module.messageEnd('end_turn');
            done();
          },
        },
      });
      await composer.fill('Tell me everything');
      await composer.press('Enter');
      await sent;
    },
    async close() {
      await app.close();
      await endpoint.close();
    },
  };
}

/** The deltas of a text, each when it is due. @param {string} text */
function* paced(text) {
  const began = performance.now();
  for (let at = 0; at < text.length; at += DELTA) {
    const early = (at / CHARACTERS_PER_SECOND) * 1000 - (performance.now() - began);
    if (early > 0) yield { wait: new Promise(resolve => setTimeout(resolve, early)) };
    const delta = { type: 'text_delta', text: text.slice(at, at + DELTA) };
    yield { type: 'content_block_delta', index: 0, delta };
  }
}
