import { withShortText } from './bodies.ts';
import { headersOf } from './headersOf.ts';
import { mediaType } from './mediaType.ts';
import { cutEvent, Resumption } from './resumption.ts';
import { repairEvents } from './sse.ts';
import type { WireTap } from './wireTap.ts';

/** How the stream is opened again when it drops. */
export const RECONNECTION = {
  initialReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 2,
  maxReconnectionDelay: 30_000,
  maxRetries: 10,
};
/** What a server may wish for in its place: at once would be a storm, and a timer cannot hold the longest. */
const RETRY_MS = { min: 500, max: 60_000 };

/** Waits before the stream is opened again. Returns what ends the waiting. */
export function scheduleReconnection(reconnect: () => void, wishedMs: number): () => void {
  const timer = setTimeout(reconnect, Math.min(Math.max(wishedMs, RETRY_MS.min), RETRY_MS.max));
  return () => clearTimeout(timer);
}

/**
 * The streams that a legacy server is asked for with GET: the one to listen to, and the rests of answers that were cut.
 * `doubt` is called when one is lost in a way that the server may have forgotten us, or be away.
 */
export class LegacyStream {
  readonly resumption = new Resumption();
  readonly #doubt: () => void;
  readonly #tap: WireTap;
  #hadOne = false;

  constructor(doubt: () => void, tap: WireTap) {
    this.#doubt = doubt;
    this.#tap = tap;
  }

  /** @param ask sends the request of `init` */
  async open(ask: () => Promise<Response>, init: RequestInit): Promise<Response> {
    try {
      const stream = await this.#understand(await ask(), headersOf(init));
      if (this.#hadOne && !stream.ok) this.#doubt();
      this.#hadOne ||= stream.ok;
      return stream;
    } catch (error) {
      if (!init.signal?.aborted) this.#doubt();
      throw error;
    }
  }

  /**
   * A server may have no stream: however it says so, that is no error, unless it once had one. An answer that cannot be
   * resumed ends its request.
   */
  async #understand(response: Response, asked: Headers): Promise<Response> {
    const { status, ok, headers, body } = response;
    const from = asked.get('last-event-id');
    const request = from === null ? undefined : this.resumption.requestAt(from);
    if (ok && body && mediaType(response) === 'text/event-stream') {
      const { resumption } = this;
      const of = request === undefined || from === null ? undefined : { request, resumption, from };
      return new Response(repairEvents(body, of, this.#tap), { status, headers });
    }
    const isRefusal = ok || (status >= 400 && status < 500 && status !== 401 && status !== 403);
    if (request !== undefined && isRefusal) {
      await body?.cancel();
      this.resumption.answered(request);
      return new Response(cutEvent(request), { headers: { 'content-type': 'text/event-stream' } });
    }
    const isTold = this.#hadOne || from !== null || status === 401 || status === 403;
    if (isTold || (status >= 300 && status < 400)) return withShortText(response);
    await body?.cancel();
    return new Response(null, { status: 405 });
  }
}
