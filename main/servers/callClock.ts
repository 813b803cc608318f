/**
 * The time limit of one call: `idleMs` of silence, at most `totalMs` in all. Progress starts the silence anew, and
 * while a person is being asked the clock stands still. After a silence it may be asked whether to go on waiting;
 * the total ends the call in any case.
 */
export class CallClock {
  readonly #controller = new AbortController();
  readonly #idleMs: number;
  readonly #total: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;
  #paused = 0;
  readonly #goOn: GoOn | undefined;
  /** Open while it is asked. */
  #question: AbortController | undefined;

  constructor(idleMs: number, totalMs: number, goOn?: GoOn) {
    this.#idleMs = idleMs;
    this.#goOn = goOn;
    this.#total = setTimeout(() => this.#controller.abort(), totalMs);
    this.touch();
  }

  /** Fires when the time is up. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  touch(): void {
    this.#endSilence();
    if (this.#paused === 0) this.#idle = setTimeout(() => void this.#silent(), this.#idleMs);
  }

  async pausedDuring<T>(work: () => Promise<T>): Promise<T> {
    this.#paused += 1;
    this.#endSilence();
    try {
      return await work();
    } finally {
      this.#paused -= 1;
      this.touch();
    }
  }

  stop(): void {
    this.#endSilence();
    clearTimeout(this.#total);
    this.#paused = Number.POSITIVE_INFINITY;
  }

  async #silent(): Promise<void> {
    if (!this.#goOn) return this.#controller.abort();
    const question = new AbortController();
    this.#question = question;
    const goesOn = await this.#goOn(question.signal);
    // The server has said something meanwhile, or asks something itself: then the answer is of no use.
    if (question.signal.aborted) return;
    if (goesOn) this.touch();
    else this.#controller.abort();
  }

  #endSilence(): void {
    clearTimeout(this.#idle);
    this.#question?.abort();
    this.#question = undefined;
  }
}

/** Whether to go on waiting after a silence; never rejects. `signal`: the silence is over. */
export type GoOn = (signal: AbortSignal) => Promise<boolean>;
