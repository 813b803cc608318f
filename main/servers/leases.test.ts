import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tempDir } from '../../e2e/support/host.ts';
import { openDatabase } from '../database.ts';
import { Leases } from './leases.ts';

const never = new AbortController().signal;

/** The leases of two Parleys on one data directory; the clock of both. */
async function two() {
  const dir = await tempDir();
  onTestFinished(dir.remove);
  const clock = { now: 1_000_000 };
  const open = () => {
    const db = openDatabase(join(dir.path, 'parley.db'));
    onTestFinished(() => void db.close());
    return new Leases(db, () => clock.now);
  };
  return { clock, one: open(), other: open() };
}

function gate() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>(resolve => {
    open = resolve;
  });
  return { open, passed };
}

it('a lease is held by one at a time, also across processes, whether its work succeeds or fails', async () => {
  const { one, other } = await two();
  const done: string[] = [];
  const first = gate();
  const began = gate();
  const failing = one.hold('tokens', never, async () => {
    began.open();
    await first.passed;
    done.push('first');
    throw new Error('no');
  });
  await began.passed;
  const second = other.hold('tokens', never, async () => done.push('second'));
  expect(await other.hold('something else', never, async () => 'not kept waiting')).toBe('not kept waiting');
  expect(done).toEqual([]);
  first.open();
  await expect(failing).rejects.toThrow('no');
  await second;
  expect(done).toEqual(['first', 'second']);
});

it('a lease of a holder that died is taken over', async () => {
  const { clock, one, other } = await two();
  const crashed = gate();
  const began = gate();
  const lost = one.hold('tokens', never, () => {
    began.open();
    return crashed.passed;
  });
  await began.passed;
  const next = other.hold('tokens', never, async () => 'mine');
  clock.now += 16_000;
  expect(await next).toBe('mine');
  crashed.open();
  await lost;
});

it('waiting for a lease ends with whoever waits', async () => {
  const { one, other } = await two();
  const busy = gate();
  const holding = one.hold('tokens', never, () => busy.passed);
  const stop = new AbortController();
  const waiting = other.hold('tokens', stop.signal, async () => 'never');
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  busy.open();
  await holding;
});
