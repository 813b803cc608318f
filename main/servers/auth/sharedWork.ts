/** Work that many may need at the same time and that is done once for all of them. */
export class SharedWork<T> {
  #current: { result: Promise<T>; stop: AbortController; waiting: number } | undefined;

  /**
   * Joins the work that is going on, or begins it. `signal` ends only this waiting; the work is aborted when nobody
   * waits for it any more.
   */
  async run(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const current = this.#current ?? this.#begin(work);
    current.waiting += 1;
    let leave: () => void = () => undefined;
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => reject(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
    });
    try {
      return await Promise.race([current.result, left]);
    } finally {
      signal.removeEventListener('abort', leave);
      current.waiting -= 1;
      if (current.waiting === 0) current.stop.abort();
    }
  }

  #begin(work: (signal: AbortSignal) => Promise<T>) {
    const stop = new AbortController();
    const result = work(stop.signal).finally(() => {
      if (this.#current === current) this.#current = undefined;
    });
    result.catch(() => undefined); // Whoever waits hears of it.
    const current = { result, stop, waiting: 0 };
    this.#current = current;
    // What was given up ends in its own time; whoever comes meanwhile begins anew.
    stop.signal.addEventListener('abort', () => {
      if (this.#current === current) this.#current = undefined;
    });
    return current;
  }
}
