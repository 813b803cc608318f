interface Deps {
  /** Fires when nobody asks or answers any more: nothing is sent from then on. */
  over: AbortSignal;
  /** Asks whoever can answer; `signal` fires when the question is not open any more. */
  answer(request: unknown, signal: AbortSignal): Promise<object>;
  send(responses: Record<string, object>): Promise<unknown>;
  /** A question has no answer that the protocol knows. */
  fail(error: unknown): void;
}

/** How often an answer is sent again when the server cannot be reached, and how long between. */
const ATTEMPTS = 5;
const AGAIN_MS = 2000;

/** The questions of one task: each is asked once, however often the server lists it, and ends when it is listed no more. */
export class TaskQuestions {
  readonly #deps: Deps;
  /** By key; a key stands for the same question as long as the task lives. */
  readonly #asked = new Map<string, AbortController>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** What is open now, all of it. */
  open(requests: Readonly<Record<string, unknown>>): void {
    for (const [key, asked] of this.#asked) if (!Object.hasOwn(requests, key)) asked.abort();
    for (const [key, request] of Object.entries(requests)) {
      if (this.#asked.has(key)) continue;
      const ends = new AbortController();
      this.#asked.set(key, ends);
      const signal = AbortSignal.any([ends.signal, this.#deps.over]);
      this.#answer(key, request, signal).catch((error: unknown) => {
        if (!signal.aborted) this.#deps.fail(error);
      });
    }
  }

  close(): void {
    for (const asked of this.#asked.values()) asked.abort();
  }

  async #answer(key: string, request: unknown, signal: AbortSignal): Promise<void> {
    const response = await this.#deps.answer(request, signal);
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        await this.#deps.send({ [key]: response });
        return;
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS));
      }
    }
  }
}
