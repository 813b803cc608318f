/**
 * Pages that a server sends the person to (specification page client/elicitation, URL mode): consent first, then the
 * system's browser, then the wait until the person is done there. Parley itself never looks at the page.
 */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { AskContext, AskingServer } from './asking.ts';

export interface Page {
  url: string;
  message: string;
}

/** What came of a visit. `accept`: the page was opened, and the person, or the server, says that it is done. */
export type Visited = 'accept' | 'decline' | 'cancel';

const MAX_URL_LENGTH = 8000;

/**
 * Asks whether a page may be opened outside Parley, opens it when the person agrees, and waits until they have
 * finished there, or until `done` fires.
 * @throws ProtocolError when it is no web page: the person is not bothered with it
 */
export async function visit(
  server: AskingServer,
  page: Page,
  about: AskContext,
  { done, onConsent }: { done?: AbortSignal; onConsent?(): void } = {},
): Promise<Visited> {
  const action = await agree(server, page, about);
  if (action !== 'accept') return action;
  onConsent?.();
  const failed = !(await open(server, page.url));
  return waitForPerson(server, page, about, { failed, done });
}

/** The visits that a legacy server may say are complete, by the id that it gave them. */
export class Visits {
  readonly #open = new Map<string, AbortController>();

  /** Does something with a signal that fires when the server says that this visit is complete. */
  async during<T>(id: string | undefined, work: (done: AbortSignal) => Promise<T>): Promise<T> {
    const done = new AbortController();
    if (id !== undefined) this.#open.set(id, done);
    try {
      return await work(done.signal);
    } finally {
      if (id !== undefined && this.#open.get(id) === done) this.#open.delete(id);
    }
  }

  /** Ids that are not known, or not any more, mean nothing. */
  complete(id: string): void {
    this.#open.get(id)?.abort();
  }
}

async function agree(
  server: AskingServer,
  page: Page,
  { conversationId, signal, pause, visited }: AskContext,
): Promise<Visited> {
  const { url, message } = page;
  if (url.length > MAX_URL_LENGTH || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'Only http and https addresses of usual length can be opened.',
    );
  }
  const question = {
    kind: 'urlElicitation' as const,
    server: server.name,
    url,
    message,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(server.host === undefined ? {} : { serverHost: server.host }),
    ...(visited?.has(url) ? { again: true } : {}),
  };
  const { action } = await pause(() => server.asks.ask(question, signal));
  if (action === 'accept') visited?.add(url);
  return action;
}

async function waitForPerson(
  server: AskingServer,
  { url }: Page,
  { conversationId, signal, pause }: AskContext,
  { failed, done }: { failed: boolean; done: AbortSignal | undefined },
): Promise<Visited> {
  const ends = done ? AbortSignal.any([signal, done]) : signal;
  return pause(async () => {
    for (let isMissing = failed; ; ) {
      const question = {
        kind: 'urlWaiting' as const,
        server: server.name,
        url,
        ...(conversationId === undefined ? {} : { conversationId }),
        ...(isMissing ? { failed: true } : {}),
      };
      const { action } = await server.asks.ask(question, ends);
      if (action === 'finished' || (done?.aborted && !signal.aborted)) return 'accept';
      if (action === 'cancel') return 'cancel';
      isMissing = !(await open(server, url));
    }
  });
}

/** Whether a browser took it. */
function open(server: AskingServer, url: string): Promise<boolean> {
  return server.openExternal(url).then(
    () => true,
    () => false,
  );
}
