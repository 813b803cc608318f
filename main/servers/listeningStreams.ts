import { headersOf } from './headersOf.ts';
import type { Send } from './types.ts';

/** The streams of one session that are only listened to, over which nothing was asked but to tell of news. */
export class ListeningStreams {
  #present = new AbortController();

  /** The same way of sending, with which such streams end with `cut`. */
  through(send: Send): Send {
    return (url, init) => {
      if (!isListening(init)) return send(url, init);
      const signals = init?.signal ? [init.signal, this.#present.signal] : [this.#present.signal];
      return send(url, { ...init, signal: AbortSignal.any(signals) });
    };
  }

  /** Ends those that are open now: a dead one looks like one with no news. Whoever listens opens the next. */
  cut(): void {
    this.#present.abort(new Error('The stream may be dead after a sleep.'));
    this.#present = new AbortController();
  }
}

/** Legacy servers are asked with GET, modern ones with a request. */
function isListening(init: RequestInit | undefined): boolean {
  return init?.method === 'GET' || headersOf(init).get('mcp-method') === 'subscriptions/listen';
}
