import { describe, expect, it } from 'vitest';
import { SharedWork } from './sharedWork.ts';

const never = new AbortController().signal;

/** Work that ends when it is told to, and tells how often it began and whether it was given up. */
function work() {
  let finish: (value: string) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const state = {
    begun: 0,
    stopped: false,
    run(signal: AbortSignal): Promise<string> {
      state.begun += 1;
      signal.addEventListener('abort', () => {
        state.stopped = true;
      });
      return new Promise<string>((resolve, reject) => {
        finish = resolve;
        fail = reject;
      });
    },
    finish: (value: string) => finish(value),
    fail: (error: Error) => fail(error),
  };
  return state;
}

describe('work that many wait for', () => {
  it('is done once for all who come while it goes on, and anew for those who come later', async () => {
    const shared = new SharedWork<string>();
    const first = work();
    const all = Promise.all([1, 2, 3].map(() => shared.run(first.run, never)));
    first.finish('done');
    expect(await all).toEqual(['done', 'done', 'done']);
    expect(first.begun).toBe(1);
    const later = shared.run(first.run, never);
    first.finish('again');
    expect(await later).toBe('again');
    expect(first.begun).toBe(2);
  });

  it('fails for all, and may be tried anew', async () => {
    const shared = new SharedWork<string>();
    const failing = work();
    const all = [shared.run(failing.run, never), shared.run(failing.run, never)];
    failing.fail(new Error('no'));
    for (const one of all) await expect(one).rejects.toThrow('no');
    const next = shared.run(failing.run, never);
    failing.finish('yes');
    expect(await next).toBe('yes');
  });

  it('goes on when one of them leaves, and is given up with the last one', async () => {
    const shared = new SharedWork<string>();
    const going = work();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = shared.run(going.run, one.signal);
    const second = shared.run(going.run, two.signal);
    one.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    expect(going.stopped).toBe(false);
    two.abort(new Error('left too'));
    await expect(second).rejects.toThrow('left too');
    expect(going.stopped).toBe(true);

    // Whoever comes now does not join what was given up, even while it has not ended.
    const anew = work();
    const third = shared.run(anew.run, never);
    going.finish('old');
    anew.finish('new');
    expect(await third).toBe('new');
  });

  it('does not begin for somebody who has left already', async () => {
    const unwanted = work();
    await expect(new SharedWork<string>().run(unwanted.run, AbortSignal.abort())).rejects.toThrow();
    expect(unwanted.begun).toBe(0);
  });
});
