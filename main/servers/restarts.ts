const PAUSES_MS = [1000, 2000, 4000, 8000, 16_000];
const AWAY_MS = 60_000;
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
    const pause = PAUSES_MS[this.#count++] ?? (isAway ? AWAY_MS : undefined);
    if (pause !== undefined) this.#timer = setTimeout(start, pause);
    return pause;
  }

  /** No planned start will happen. */
  cancel(): void {
    clearTimeout(this.#timer);
  }
}
