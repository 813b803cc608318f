/** Bounds between two looks at what a server does not tell of by itself. */
const SHORTEST_MS = 60_000;
const LONGEST_MS = 15 * 60_000;
const BACK_OFF = 1.5;

/**
 * How long to wait before looking again: never shorter than what the server called fresh, longer each time that
 * nothing had changed, and never for everybody at the same moment.
 * @param unchanged how many looks in a row found nothing new
 * @see the caching page of the specification, which asks pollers for jitter and back-off
 */
export function pollPause(freshForMs: number, unchanged: number, random = Math.random()): number {
  const base = Math.max(SHORTEST_MS, freshForMs) * BACK_OFF ** unchanged;
  return Math.max(Math.min(base, LONGEST_MS), freshForMs) * (1 + random * 0.2);
}
