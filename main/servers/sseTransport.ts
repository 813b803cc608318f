import { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { SSEClientTransport } from '@modelcontextprotocol/client';
import { HostError } from '../../shared/errors.ts';
import type { HttpServerConfig } from '../../shared/servers.ts';
import { repairEvents } from './sse.ts';
import type { Send } from './types.ts';
import { shortRefusal, type WireTap } from './wireTap.ts';

/** How long the server may take to name the address that messages are sent to. */
const ENDPOINT_MS = 30_000;

/**
 * The transport of revision 2024-11-05: one stream that is read, and an address of the same origin that messages are
 * posted to. The configured headers go with every request, and to no other origin. The stream is the session: when it
 * ends, so does the transport, because a server knows nothing of the old session on a new stream.
 * @see the backwards compatibility section of the specification's transports page
 */
export class SseTransport extends SSEClientTransport {
  readonly #host: string;
  #closing: Promise<void> | undefined;
  #onClosing: (() => void) | undefined;
  /** Why the last request did not arrive: the event source keeps only the words of it. */
  #unreachable: unknown;

  constructor(config: HttpServerConfig, send: Send, tap: WireTap) {
    const { host } = new URL(config.url);
    super(new URL(config.url), {
      requestInit: { headers: config.headers ?? {} },
      fetch: async (input, init) => {
        // A stream that is opened again would be another session: 204 tells the event source to give up.
        if (this.#closing) return new Response(null, { status: 204 });
        const sent = typeof init?.body === 'string' ? init.body : '';
        tap.sent(sent);
        const response = await send(input, init).catch((error: unknown) => {
          this.#unreachable = error;
          throw error;
        });
        if (init?.method === 'POST') return response.ok ? response : shortRefusal(response, sent, tap);
        if (!response.ok || !response.body) return response;
        const { status, headers, body } = response;
        const messages = whenOver(repairEvents(body, undefined, tap), () => void this.close());
        return new Response(messages, { status, headers });
      },
    });
    this.#host = host;
  }

  /** @throws HostError when the server does not name an address in time, and the SDK's errors */
  override async start(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const given = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(this.#silent()), ENDPOINT_MS);
      this.#onClosing = () => reject(new Error('The stream was closed.'));
    });
    try {
      await Promise.race([super.start(), given]);
    } catch (error) {
      await this.close();
      throw this.#unreachable ?? error;
    } finally {
      clearTimeout(timer);
      this.#onClosing = undefined;
    }
  }

  override close(): Promise<void> {
    this.#closing ??= (async () => {
      // The SDK closes it with a reason that is still on its way to `start`; this one is for when there is none.
      setImmediate(() => this.#onClosing?.());
      await super.close();
    })();
    return this.#closing;
  }

  #silent(): HostError {
    return new HostError(
      'server.timeout',
      `${this.#host} opened a stream, but did not say where to send messages.`,
      'Try Restart; if it stays so, ask whoever runs the server.',
    );
  }
}

/** The same stream; `over` is called when it ended, broke or was given up. */
function whenOver(body: ReadableStream<Uint8Array>, over: () => void): ReadableStream<Uint8Array> {
  const bytes = async function* () {
    try {
      yield* body;
    } finally {
      over();
    }
  };
  return NodeReadableStream.from(bytes()) as unknown as ReadableStream<Uint8Array>;
}
