/** As many starts as there are pauses: who does not live through five has something that a start does not mend. */
const PAUSES_MS = [1000, 2000, 4000, 8000, 16_000];
const AWAY_MS = 60_000;
/** So much longer at most: servers that died together do not come back in the same moment. */
const JITTER = 0.2;
const STABLE_MS = 60_000;

/**
 * When a server that had been ready is started again by itself: a few times, with growing pauses, and after a stable
 * minute from the beginning again. One that is only out of reach is tried without end. One that has never been ready is
 * left to the person.
 */
export class Restarts {
  #wasReady = false;
  #readySince = 0;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #pausesMs: readonly number[];
  readonly #random: () => number;

  constructor(pausesMs: readonly number[] = PAUSES_MS, random: () => number = Math.random) {
    this.#pausesMs = pausesMs;
    this.#random = random;
  }

  /** The person wants it to run. */
  begin(): void {
    this.cancel();
    this.#wasReady = false;
    this.#count = 0;
  }

  succeeded(): void {
    this.#wasReady = true;
    this.#readySince = Date.now();
  }

  /** Plans the next start. Returns the milliseconds until then; undefined when there is none. */
  failed(start: () => void, { isAway }: { isAway: boolean }): number | undefined {
    if (!this.#wasReady) return undefined;
    if (this.#readySince > 0 && Date.now() - this.#readySince > STABLE_MS) this.#count = 0;
    this.#readySince = 0;
    const base = this.#pausesMs[this.#count++] ?? (isAway ? AWAY_MS : undefined);
    if (base === undefined) return undefined;
    const pause = base * (1 + this.#random() * JITTER);
    this.#timer = setTimeout(start, pause);
    return pause;
  }

  /** No planned start will happen. */
  cancel(): void {
    clearTimeout(this.#timer);
  }
}
