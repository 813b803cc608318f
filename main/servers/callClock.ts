/**
 * The time limit of one call: `idleMs` of silence, at most `totalMs` in all. Progress starts the silence anew, and
 * while a person is being asked the clock stands still.
 */
export class CallClock {
  readonly #controller = new AbortController();
  readonly #idleMs: number;
  readonly #total: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;
  #paused = 0;

  constructor(idleMs: number, totalMs: number) {
    this.#idleMs = idleMs;
    this.#total = setTimeout(() => this.#controller.abort(), totalMs);
    this.touch();
  }

  /** Fires when the time is up. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  touch(): void {
    clearTimeout(this.#idle);
    if (this.#paused === 0) this.#idle = setTimeout(() => this.#controller.abort(), this.#idleMs);
  }

  async pausedDuring<T>(work: () => Promise<T>): Promise<T> {
    this.#paused += 1;
    clearTimeout(this.#idle);
    try {
      return await work();
    } finally {
      this.#paused -= 1;
      this.touch();
    }
  }

  stop(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#total);
    this.#paused = Number.POSITIVE_INFINITY;
  }
}
