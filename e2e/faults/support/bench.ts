import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { tempDir } from '../../support/host.ts';
import { nodeEntry, reaches, startManager } from '../../support/manager.ts';
import { startRawHttp } from '../../support/rawHttp.ts';

export type Era = 'legacy' | 'modern';
export const ERAS: Era[] = ['legacy', 'modern'];

/** A neighbour that takes longer is hurt; less would be too strict for a machine that is busy with other tests. */
const SLOW_MS = 3000;

const never = new AbortController().signal;

/** A manager with the server `faulty` and a sound `neighbour`. Ends with the test. */
export async function startWithNeighbour(entry: object, options: Parameters<typeof startManager>[1] = {}) {
  const sound = await startRawHttp();
  const started = await startManager({ faulty: entry, neighbour: { url: sound.url } }, options);
  const { manager, view } = started;
  const callOf =
    (name: string) =>
    (signal: AbortSignal = never) => {
      const connection = manager.connection(name);
      if (!connection) throw new Error(`There is no server ${name}.`);
      return connection.callTool('echo', {}, { signal });
    };
  /** What a failed call says to the person and the model. */
  const refusal = async (call: Promise<unknown>) => {
    const error = await call.then(
      result => expect.fail(`It succeeded: ${JSON.stringify(result).slice(0, 300)}`),
      (reason: unknown) => reason,
    );
    return error as { code: string; message: string; hint?: string };
  };
  const isReady = (name = 'faulty') => reaches(manager, name, 'ready');
  const hasFailed = async (name = 'faulty') => {
    await reaches(manager, name, 'failed');
    return view(name)?.error;
  };
  /** It is as it was in the beginning: connected once, and answering. */
  const neighbourIsWell = async () => {
    await isReady('neighbour');
    expect((await callOf('neighbour')()).content).toEqual([{ type: 'text', text: 'ok' }]);
    expect(sound.count('initialize')).toBe(1);
  };
  /** Has the neighbour answer again and again until the work is done; it is as quick as ever. */
  const whileNeighbourAnswers = async <T>(work: Promise<T>): Promise<T> => {
    let done = false;
    const ended = work.finally(() => {
      done = true;
    });
    ended.catch(() => undefined); // Awaited below.
    await isReady('neighbour');
    while (!done) {
      const began = performance.now();
      await callOf('neighbour')();
      expect(performance.now() - began).toBeLessThan(SLOW_MS);
    }
    return ended;
  };
  const log = () => manager.log('faulty').join('\n');
  return {
    ...started,
    call: callOf('faulty'),
    log,
    refusal,
    isReady,
    hasFailed,
    neighbourIsWell,
    whileNeighbourAnswers,
  };
}

/** The misbehaving stdio server with a fault, and what it counted. `given` is for the fault `given`. */
export async function stdioFault(fault: string, era: Era = 'legacy', given = '') {
  const folder = await tempDir();
  onTestFinished(folder.remove);
  const journal = join(folder.path, 'journal');
  const lines = async () => (await readFile(journal, 'utf8')).split('\n');
  const count = async (what: string) => (await lines()).filter(entry => entry === what).length;
  return {
    entry: nodeEntry(join(import.meta.dirname, 'faulty.mjs'), [fault, era, journal, given]),
    starts: () => count('start'),
    /** How many calls arrived, over all lives of the server. */
    calls: () => count('echo'),
    /** How often it noted this. */
    count,
  };
}
