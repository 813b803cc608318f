import type { Ask } from '../../shared/asks.ts';
import { announcement } from '../../shared/askWords.ts';
import { revealHiddenText } from '../../shared/hiddenCharacters.ts';
import type { HostEvents } from '../events.ts';

/** What a desktop has to call a person with. */
export interface Desktop {
  /** The person sees the window right now. */
  isWatched(): boolean;
  /** Shows a notification of the system. Returns what takes it away. */
  notify(text: string, onClick: () => void): () => void;
  /** The number on the application's icon; 0: none. */
  setBadge(count: number): void;
}

/** More of a question than that is no use in a notification. */
const MAX_TEXT = 200;

/**
 * Calls the person when something is asked while they do not look: one notification, until they come or every question
 * has ended, however many follow; the icon tells how many wait. Returns the function that ends it.
 */
export function callForAttention(
  events: HostEvents,
  pending: () => readonly Ask[],
  desktop: Desktop,
  show: (ask: Ask) => void,
): { watched(): void; close(): void } {
  let takeAway: (() => void) | undefined;
  const quiet = () => {
    takeAway?.();
    takeAway = undefined;
  };
  const stop = events.on(event => {
    if (event.name === 'ask.opened') {
      const ask = event.payload;
      desktop.setBadge(pending().length);
      if (takeAway || desktop.isWatched()) return;
      takeAway = desktop.notify(revealHiddenText(announcement(ask)).slice(0, MAX_TEXT), () => {
        quiet();
        show(ask);
      });
    } else if (event.name === 'ask.closed') {
      const left = pending().length;
      desktop.setBadge(left);
      if (left === 0) quiet();
    }
  });
  return {
    /** The person has come to the window. */
    watched: quiet,
    close() {
      stop();
      quiet();
      desktop.setBadge(0);
    },
  };
}
