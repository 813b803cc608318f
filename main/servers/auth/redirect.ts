import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HostError } from '../../../shared/errors.ts';

const PATH = '/callback';
/** A browser opens a second connection in advance; what is open when the answer has been given must not keep us. */
const HEADERS_MS = 5000;

/** Where the browser comes back to: a listener on this machine alone, for one sign-in. */
export interface Redirect {
  /** The redirect address of the client. */
  url: string;
  /** Resolves with the parameters of the one callback that carries this `state`. Everything else is refused. */
  callback(state: string): Promise<URLSearchParams>;
  close(): Promise<void>;
}

/**
 * Listens on a port that may be prescribed by the client's registration (`fixed`), or was used for it (`wished`).
 * @throws HostError when the prescribed one is taken
 */
export async function listenForRedirect(ports: { fixed?: number; wished?: number }): Promise<Redirect> {
  const { fixed, wished } = ports;
  try {
    return await listen(fixed ?? wished ?? 0);
  } catch (error) {
    if (!isInUse(error)) throw error;
    if (fixed === undefined) return listen(0);
    throw new HostError(
      'auth.port',
      `The port ${fixed}, which the sign-in has to come back to, is used by another program.`,
      'End that program and try again, or register the client with another port.',
    );
  }
}

async function listen(port: number): Promise<Redirect> {
  let expected: string | undefined;
  let settle: (params: URLSearchParams) => void = () => undefined;
  const server = createServer({ headersTimeout: HEADERS_MS }, (request, response) => {
    const params = expected === undefined ? undefined : callbackOf(request, hostName(), expected);
    if (!params) return answer(response, 404, 'Nothing here', 'This address is not for you.');
    expected = undefined;
    if (params.has('error'))
      answer(response, 200, 'The sign-in was refused', 'Go back to Parley: it says why.');
    else answer(response, 200, 'Back to Parley', 'You can close this page. Parley goes on from here.');
    settle(params);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const hostName = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${hostName()}${PATH}`;
  return {
    url,
    callback(state) {
      expected = state;
      return new Promise(resolve => {
        settle = resolve;
      });
    },
    async close() {
      expected = undefined;
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      // The page may still be on its way.
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), 1000);
      await closed;
      clearTimeout(late);
    },
  };
}

/** The host is compared too: another name for this address would be a page that reached for it (DNS rebinding). */
function callbackOf(request: IncomingMessage, host: string, state: string): URLSearchParams | undefined {
  if (request.method !== 'GET' || request.headers.host !== host) return undefined;
  const { pathname, searchParams } = new URL(request.url ?? '/', `http://${host}`);
  const isExpected = pathname === PATH && searchParams.get('state') === state;
  return isExpected && (searchParams.has('code') || searchParams.has('error')) ? searchParams : undefined;
}

/** Nothing that came with the request is in the page. */
function answer(response: ServerResponse, status: number, title: string, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>
<style>:root{color-scheme:light dark}body{font:1.1rem/1.5 system-ui,sans-serif;display:grid;place-content:center;
min-height:90vh;text-align:center;margin:1rem}</style><main><h1>${title}</h1><p>${text}</p></main></html>`);
}

function isInUse(error: unknown): boolean {
  return ['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');
}
