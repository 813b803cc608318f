import type { Root } from 'hast';
import type { Colours, Job } from './worker.ts';

/** A grammar that takes longer for one block has run into an expression that never ends. */
const MAX_MS = 5_000;

let worker: Worker | undefined;
let watch: ReturnType<typeof setTimeout> | undefined;
let count = 0;
const waiting = new Map<number, (tree: Root | undefined) => void>();

/**
 * The code as coloured spans; undefined for a language that is not known. The work is done beside the window, by a
 * worker that starts with the first block of code: it takes long, and how long is in the hands of whoever wrote the code.
 */
export function highlight(code: string, language: string): Promise<Root | undefined> {
  worker ??= start();
  const job: Job = { id: count++, code, language };
  if (waiting.size === 0) watch = setTimeout(giveUp, MAX_MS);
  return new Promise(resolve => {
    waiting.set(job.id, resolve);
    worker?.postMessage(job);
  });
}

function start(): Worker {
  const started = new Worker('highlighter/worker.js', { type: 'module' });
  started.addEventListener('message', ({ data: { id, tree } }: MessageEvent<Colours>) => {
    clearTimeout(watch);
    waiting.get(id)?.(tree);
    waiting.delete(id);
    if (waiting.size > 0) watch = setTimeout(giveUp, MAX_MS);
  });
  started.addEventListener('error', giveUp);
  return started;
}

/** What waits stays without colours; the next block of code gets a new worker. */
function giveUp(): void {
  clearTimeout(watch);
  worker?.terminate();
  worker = undefined;
  for (const resolve of waiting.values()) resolve(undefined);
  waiting.clear();
}
