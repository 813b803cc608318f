import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { HostError } from '../../shared/errors.ts';
import type { HttpServerConfig } from '../../shared/servers.ts';
import { readText, withShortText } from './bodies.ts';
import { normalizeMessages } from './normalize.ts';
import { repairEvents } from './sse.ts';
import { isWebPage, wordsOfPage } from './webPage.ts';

/** How the listening stream of a legacy server is opened again when it drops. */
const RECONNECTION = {
  initialReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 2,
  maxReconnectionDelay: 30_000,
  maxRetries: 10,
};

/**
 * A connection to a remote server. The configured headers go to its own origin only: the SDK follows a redirect only
 * within the origin and with the same method. Answers are read tolerantly, and what is no answer is said to be none.
 */
export function createHttpTransport(config: HttpServerConfig): StreamableHTTPClientTransport {
  const { host } = new URL(config.url);
  return new StreamableHTTPClientTransport(new URL(config.url), {
    requestInit: { headers: config.headers ?? {} },
    reconnectionOptions: RECONNECTION,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method === 'GET') return listeningStream(response, new Headers(init.headers));
      if (!response.ok) return withShortText(response);
      if (init?.method !== 'POST') return response;
      const sent = typeof init.body === 'string' ? init.body : '';
      return isNotification(sent) ? accepted(response) : readAnswer(response, sent, host);
    },
  });
}

/** A legacy server may have no stream to listen to. However it says so, that is no error. */
async function listeningStream(response: Response, asked: Headers): Promise<Response> {
  const { status, ok, headers, body } = response;
  if (ok && body && mediaType(response) === 'text/event-stream') {
    return new Response(repairEvents(body, undefined), { status, headers });
  }
  const isResumption = asked.has('last-event-id');
  if (isResumption || status === 401 || status === 403 || (status >= 300 && status < 400)) return response;
  await response.body?.cancel();
  return new Response(null, { status: 405 });
}

/** Any success will do for a notification; 202 is what makes the SDK go on as the specification says. */
async function accepted(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, { status: 202 });
}

async function readAnswer(response: Response, sent: string, host: string): Promise<Response> {
  const { status, headers, body } = response;
  const type = mediaType(response);
  if (type === 'text/event-stream' && body) {
    return new Response(repairEvents(body, requestIdOf(sent)), { status, headers });
  }
  const text = await readText(response, host);
  if (type === 'text/html' || isWebPage(text)) throw webPage(host, text);
  if (type !== '' && type !== 'application/json') throw notMcp(host, status, `${type}: ${text}`);
  const messages = parse(text);
  if (messages.length === 0) throw notMcp(host, status, text);
  return new Response(JSON.stringify(messages.length === 1 ? messages[0] : messages), {
    status,
    headers: withJson(headers),
  });
}

function parse(text: string): unknown[] {
  try {
    return normalizeMessages(JSON.parse(text));
  } catch {
    return []; // Not JSON: the caller says what it is instead.
  }
}

/** The headers of the original, but for the length, which may have changed, and a missing type. */
function withJson(headers: Headers): Headers {
  const next = new Headers(headers);
  for (const name of ['content-length', 'content-encoding']) next.delete(name);
  next.set('content-type', 'application/json');
  return next;
}

/** Without parameters, and in lower case; empty when none is given. */
function mediaType(response: Response): string {
  return response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The SDK writes the method near the beginning; a whole large body need not be parsed for it. */
function isNotification(sent: string): boolean {
  return /^\{[^{[]*"method":"notifications\//.test(sent.slice(0, 200));
}

function requestIdOf(sent: string): string | number | undefined {
  const { id, method } = JSON.parse(sent) as { id?: string | number; method?: string };
  return method === undefined ? undefined : id;
}

function webPage(host: string, html: string): HostError {
  const said = wordsOfPage(html);
  return new HostError(
    'server.webpage',
    `${host} answered with a web page${said ? ` (“${said}”)` : ''} instead of MCP.`,
    'Is this the address of an MCP endpoint (often it ends in /mcp), and does your network need a sign-in?',
  );
}

function notMcp(host: string, status: number, text: string): HostError {
  const said = text.trim().slice(0, 200);
  return new HostError(
    'server.notMcp',
    `${host} answered ${status} with ${said === '' ? 'nothing' : `something that is not MCP: ${said}`}`,
    'Is this the address of an MCP endpoint? Often it ends in /mcp.',
  );
}
