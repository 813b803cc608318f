import { AsyncLocalStorage } from 'node:async_hooks';
import { once, setMaxListeners } from 'node:events';
import type { CallContext } from './asking.ts';
import { CallClock, type GoOn } from './callClock.ts';
import { Visits } from './visits.ts';

/** One running call as its work sees it. */
export interface RunningCall {
  readonly conversationId: string | undefined;
  readonly clock: CallClock;
  /** Fires when the call has ended, in whatever way: with the error as its reason, if there was one. */
  readonly ended: AbortSignal;
  /** Aborted when the person does not want it any more. */
  readonly givenUp: AbortController;
  /** The pages that the person was sent to for it. */
  readonly visited: Set<string>;
}

/** The running calls of one server: their clocks, and which of them a question of the server belongs to. */
export class Calls {
  /** Of legacy servers, which say when one is complete. */
  readonly visits = new Visits();
  readonly #running = new Set<RunningCall>();
  readonly #current = new AsyncLocalStorage<RunningCall>();

  async run<T>(
    limits: { idleMs: number; totalMs: number; goOn?: GoOn | undefined },
    conversationId: string | undefined,
    work: (call: RunningCall) => Promise<T>,
  ): Promise<T> {
    const ended = new AbortController();
    // A server may have many questions about one call.
    setMaxListeners(0, ended.signal);
    const clock = new CallClock(limits.idleMs, limits.totalMs, limits.goOn);
    const call: RunningCall = {
      conversationId,
      clock,
      ended: ended.signal,
      givenUp: new AbortController(),
      visited: new Set(),
    };
    this.#running.add(call);
    // With a reason of its own: making up an error for nobody to read takes longer than the rest of this.
    let how: unknown = 'ended';
    try {
      return await this.#current.run(call, () => work(call));
    } catch (error) {
      how = error;
      throw error;
    } finally {
      this.#running.delete(call);
      clock.stop();
      ended.abort(how);
    }
  }

  /** Whether somebody waits for an answer of the server. */
  get areRunning(): boolean {
    return this.#running.size > 0;
  }

  /** Resolves when every call that is running now has ended. */
  async drained(): Promise<void> {
    await Promise.all([...this.#running].map(({ ended }) => once(ended, 'abort')));
  }

  /**
   * For a question that arrives now. It usually comes as a part of the answer to its call, and so in the call's own
   * context. A legacy stdio server does not say which call it means: then all running ones wait for the answer, the
   * newest tells the conversation, and the question ends with the last of them.
   */
  asking(): CallContext {
    const own = this.#current.getStore();
    const waiting = own && this.#running.has(own) ? [own] : [...this.#running];
    return {
      conversationId: waiting.at(-1)?.conversationId,
      signal: whenAll(waiting.map(call => call.ended)),
      pause: work => waiting.reduce((inner, call) => () => call.clock.pausedDuring(inner), work)(),
      giveUp: () => {
        for (const call of waiting) call.givenUp.abort();
      },
      ...(waiting[0] && waiting.length === 1 ? { visited: waiting[0].visited } : {}),
    };
  }
}

/** Fires when every one of them has; never when there is none. */
function whenAll(signals: AbortSignal[]): AbortSignal {
  const all = new AbortController();
  const check = (reason: unknown) => signals.every(signal => signal.aborted) && all.abort(reason);
  for (const signal of signals) signal.addEventListener('abort', () => check(signal.reason), { once: true });
  return all.signal;
}
