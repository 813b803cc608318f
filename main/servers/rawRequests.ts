import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Client,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
import type { JsonObject } from '../../shared/tools.ts';
import { CAPABILITIES } from './capabilities.ts';

/** How long the answer to such a request may take. */
const ANSWER_MS = 60_000;

interface Waiting {
  resolve(result: JsonObject): void;
  reject(error: unknown): void;
}

/**
 * Requests that the SDK's client refuses to send: those of extensions, and what it has dropped of older revisions. They go through the session's own
 * transport, with ids that are words, and their answers are taken out before the SDK sees them.
 */
export class RawRequests {
  readonly #client: Client;
  readonly #info: { name: string; version: string };
  readonly #over: AbortSignal;
  readonly #waiting = new Map<string, Waiting>();
  #next = 1;

  /** @param client connected already; `over` fires when it is not any more */
  constructor(client: Client, info: { name: string; version: string }, over: AbortSignal) {
    this.#client = client;
    this.#info = info;
    this.#over = over;
    const { transport } = client;
    const onward = transport?.onmessage;
    if (transport) transport.onmessage = (message, extra) => this.#take(message) || onward?.(message, extra);
  }

  /**
   * @param options patient: waits for the answer as long as the session lasts
   * @throws ProtocolError, SdkError (time-out, connection closed), what the transport throws, or the signal's reason
   */
  async request(
    method: string,
    params: JsonObject,
    { signal, patient }: { signal?: AbortSignal | undefined; patient?: boolean } = {},
  ): Promise<JsonObject> {
    const id = `parley-${this.#next++}`;
    const late = patient ? undefined : AbortSignal.timeout(ANSWER_MS);
    const ends = AbortSignal.any([this.#over, late, signal].filter(one => one !== undefined));
    const answer = new Promise<JsonObject>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const onEnd = () => reject(signal?.aborted ? signal.reason : this.#whyEnded(late));
      if (ends.aborted) onEnd();
      else ends.addEventListener('abort', onEnd, { once: true });
    });
    answer.catch(() => undefined); // Awaited below, unless sending fails first.
    const message = { jsonrpc: '2.0' as const, id, method, params: { ...params, ...this.#envelope() } };
    try {
      await this.#client.transport?.send(message, { requestSignal: ends });
      return await answer;
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** What every request of the modern era brings along. */
  #envelope(): JsonObject {
    if (this.#client.getProtocolEra() !== 'modern') return {};
    return {
      _meta: {
        [PROTOCOL_VERSION_META_KEY]: this.#client.getNegotiatedProtocolVersion(),
        [CLIENT_INFO_META_KEY]: this.#info,
        [CLIENT_CAPABILITIES_META_KEY]: CAPABILITIES,
      },
    };
  }

  #whyEnded(late: AbortSignal | undefined): SdkError {
    return late?.aborted
      ? new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out')
      : new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
  }

  /** Whether the message was the answer to one of ours. */
  #take(message: JSONRPCMessage): boolean {
    if ('method' in message || typeof message.id !== 'string') return false;
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return message.id.startsWith('parley-'); // An answer that nobody waits for any more.
    if ('result' in message) waiting.resolve(message.result);
    else waiting.reject(new ProtocolError(message.error.code, message.error.message, message.error.data));
    return true;
  }
}
