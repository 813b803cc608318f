import { expect, onTestFinished } from 'vitest';

/**
 * What a flood may take at its height: a message of the largest size a few times over (as bytes, as text, as values),
 * and what has not been collected yet. The floods themselves are larger, or without end.
 */
const MOST_BYTES = 700 << 20;

/** Watches this process's memory from now on; `check` fails when it grew by more than a flood may take. */
export function keepsMemory(): { check(): void } {
  const before = process.memoryUsage.rss();
  let highest = before;
  const look = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss());
  }, 20);
  onTestFinished(() => clearInterval(look));
  return {
    check() {
      clearInterval(look);
      expect((highest - before) >> 20, 'megabytes').toBeLessThan(MOST_BYTES >> 20);
    },
  };
}
