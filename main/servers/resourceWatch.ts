import { HostError } from '../../shared/errors.ts';
import { messageOf } from './failures.ts';
import { keepListening } from './listening.ts';
import type { ServerLog } from './serverLog.ts';
import type { Session } from './session.ts';

/** News of one resource are passed on at most so often: a server may send a million. */
const GATHER_MS = 200;
/** More than a person looks at; each is a line in the server's memory and ours. */
const MAX_FOLLOWED = 100;

/**
 * The resources of one server that are followed. They stay followed through restarts and new sessions: each new one is
 * told of them, and since nobody knows what happened in between, they count as changed then.
 */
export class ResourceWatch {
  readonly #log: ServerLog;
  readonly #onUpdated: (uri: string) => void;
  readonly #uris = new Set<string>();
  readonly #gathering = new Map<string, NodeJS.Timeout>();
  #session: Session | undefined;
  /** Ends the subscription of a modern server. */
  #listening = new AbortController();

  constructor(log: ServerLog, onUpdated: (uri: string) => void) {
    this.#log = log;
    this.#onUpdated = onUpdated;
  }

  get uris(): string[] {
    return [...this.#uris];
  }

  /** Goes on in a new session. */
  attach(session: Session): void {
    this.#session = session;
    session.client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      this.#heard(params.uri),
    );
    if (this.#uris.size === 0) return;
    if (session.client.getProtocolEra() === 'modern') {
      this.#listen(session);
      return;
    }
    for (const uri of this.#uris)
      session.client.subscribeResource({ uri }, { signal: session.over }).then(
        () => this.#heard(uri),
        (error: unknown) =>
          session.over.aborted || this.#log.note(`Following ${uri} failed: ${messageOf(error)}`),
      );
  }

  /**
   * Does nothing when it is followed already.
   * @throws HostError `resource.follow` when the server cannot tell, and what the server says when it refuses
   */
  async add(uri: string): Promise<void> {
    if (this.#uris.has(uri)) return;
    const session = this.#session;
    if (!session || session.over.aborted)
      throw new HostError(
        'server.offline',
        'The server is not connected.',
        'Look at it on the Servers screen.',
      );
    if (!session.client.getServerCapabilities()?.resources?.subscribe)
      throw new HostError('resource.follow', 'This server does not tell when a resource changes.');
    if (this.#uris.size >= MAX_FOLLOWED)
      throw new HostError(
        'resource.follow',
        `More than ${MAX_FOLLOWED} resources cannot be followed at once.`,
      );
    this.#uris.add(uri);
    if (session.client.getProtocolEra() === 'modern') return this.#listen(session);
    try {
      await session.client.subscribeResource({ uri }, { signal: session.over });
    } catch (error) {
      this.#uris.delete(uri);
      throw new HostError('resource.follow', `The server refused: ${messageOf(error).slice(0, 500)}`);
    }
  }

  async remove(uri: string): Promise<void> {
    if (!this.#uris.delete(uri)) return;
    clearTimeout(this.#gathering.get(uri));
    this.#gathering.delete(uri);
    const session = this.#session;
    if (!session || session.over.aborted) return;
    if (session.client.getProtocolEra() === 'modern') return this.#listen(session);
    await session.client
      .unsubscribeResource({ uri }, { signal: session.over })
      // What it still tells of is not listened to.
      .catch((error: unknown) => this.#log.note(`Ending to follow ${uri}: ${messageOf(error)}`));
  }

  close(): void {
    this.#listening.abort();
    for (const timer of this.#gathering.values()) clearTimeout(timer);
    this.#gathering.clear();
    this.#uris.clear();
  }

  /** One subscription for all of them, in place of the one before. */
  #listen(session: Session): void {
    this.#listening.abort();
    this.#listening = new AbortController();
    const uris = this.uris;
    if (uris.length === 0) return;
    const signal = AbortSignal.any([this.#listening.signal, session.over]);
    void keepListening(session.client, { resourceSubscriptions: uris }, this.#log, signal, {
      open: ({ resourceSubscriptions: honoured = [] }) => {
        for (const uri of uris) {
          if (honoured.includes(uri)) this.#heard(uri);
          else this.#log.note(`The server does not tell of changes of ${uri}.`);
        }
      },
      lost: () => undefined,
    });
  }

  /** A server may name a part of what is followed. */
  #heard(updated: string): void {
    for (const uri of this.#uris) {
      const isPart = updated.startsWith(uri.endsWith('/') ? uri : `${uri}/`);
      if ((updated !== uri && !isPart) || this.#gathering.has(uri)) continue;
      const timer = setTimeout(() => {
        this.#gathering.delete(uri);
        this.#onUpdated(uri);
      }, GATHER_MS);
      this.#gathering.set(uri, timer);
    }
  }
}
