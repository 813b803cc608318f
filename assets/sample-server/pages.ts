import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Outcome = 'untouched' | 'visited' | 'confirmed';

/**
 * Pages on 127.0.0.1, each with one button. The address of a page holds a random id, so only those who were given it
 * can press the button. The web server starts with the first page.
 */
export class Pages {
  readonly #pages = new Map<string, { outcome: Outcome; pressed: AbortController }>();
  #server: Promise<Server> | undefined;

  async open(): Promise<{ id: string; url: string }> {
    this.#server ??= this.#listen();
    const { port } = (await this.#server).address() as AddressInfo;
    const id = randomUUID();
    this.#pages.set(id, { outcome: 'untouched', pressed: new AbortController() });
    return { id, url: `http://127.0.0.1:${port}/${id}` };
  }

  /** What the person did with the page so far. */
  outcome(id: string): Outcome {
    return this.#pages.get(id)?.outcome ?? 'untouched';
  }

  /** Resolves when the button was pressed, or when `signal` fires. */
  async confirmed(id: string, signal: AbortSignal): Promise<void> {
    const pressed = this.#pages.get(id)?.pressed.signal;
    const end = pressed ? AbortSignal.any([pressed, signal]) : signal;
    if (!end.aborted) await once(end, 'abort');
  }

  forget(id: string): void {
    this.#pages.delete(id);
  }

  async close(): Promise<void> {
    const server = await this.#server;
    if (!server?.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  async #listen(): Promise<Server> {
    const server = createServer((request, response) => this.#answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const page = this.#pages.get((request.url ?? '').slice(1));
    if (!page) {
      show(response, 404, 'This page is gone', '<p>The sample server no longer waits for it.</p>');
    } else if (request.method === 'POST') {
      page.outcome = 'confirmed';
      page.pressed.abort();
      show(response, 200, 'Done', '<p>Thank you. You can close this page and go back to Parley.</p>');
    } else {
      if (page.outcome === 'untouched') page.outcome = 'visited';
      show(response, 200, 'Hello from the sample server', invitation);
    }
  }
}

const invitation =
  '<p>An MCP server asked you to come here. Press the button to tell it that you did.</p>' +
  '<form method="post"><button>I was here</button></form>';

const style =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}' +
  'button{font:inherit;padding:.5rem 1.2rem}';

function show(response: ServerResponse, status: number, title: string, body: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${title}</title><style>${style}</style><h1>${title}</h1>${body}</html>`,
    );
}
