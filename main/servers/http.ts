import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { HostError } from '../../shared/errors.ts';
import type { HttpServerConfig } from '../../shared/servers.ts';
import { readText, tooLarge } from './bodies.ts';
import { headersOf } from './headersOf.ts';
import { LegacyStream, RECONNECTION, scheduleReconnection } from './legacyStream.ts';
import { mediaType } from './mediaType.ts';
import { normalizeMessages } from './normalize.ts';
import type { Resumption } from './resumption.ts';
import { isMessage } from './rpc.ts';
import { repairEvents } from './sse.ts';
import type { Send } from './types.ts';
import { parseBounded, Unreadable } from './unreadable.ts';
import { isWebPage, wordsOfPage } from './webPage.ts';
import { shortRefusal, type WireTap } from './wireTap.ts';

/**
 * A connection to a remote server. The configured headers go to its own origin only: the SDK follows a redirect only
 * within the origin and with the same method. Answers are read tolerantly, and what is no answer is said to be none.
 * `doubt` is called when the server may have forgotten us, or be away.
 */
export function createHttpTransport(
  config: HttpServerConfig,
  doubt: () => void,
  send: Send,
  tap: WireTap,
): StreamableHTTPClientTransport {
  const { host } = new URL(config.url);
  const stream = new LegacyStream(doubt, tap);
  return new StreamableHTTPClientTransport(new URL(config.url), {
    requestInit: { headers: config.headers ?? {} },
    reconnectionOptions: RECONNECTION,
    reconnectionScheduler: scheduleReconnection,
    fetch: async (input, init) => {
      if (init?.method === 'GET') return stream.open(() => send(input, init), init);
      const sent = typeof init?.body === 'string' ? init.body : '';
      const message = sent === '' ? undefined : (JSON.parse(sent) as Sent);
      tap.sent(sent, message);
      const response = await send(input, init);
      if (!response.ok) {
        const refusal = await shortRefusal(response, sent, tap);
        if (response.status === 429) throw await tooManyRequests(refusal, host);
        return refusal;
      }
      if (init?.method !== 'POST') return response;
      if (message?.method?.startsWith('notifications/')) return accepted(response);
      // Since 2026-07-28 there is no resuming, and each request names its method in a header.
      const resumption = headersOf(init).has('mcp-method') ? undefined : stream.resumption;
      const request = message?.method === undefined ? undefined : message.id;
      return readAnswer(response, sent, { host, request, resumption, tap });
    },
  });
}

/** What was sent: a request, a notification or an answer. */
interface Sent {
  id?: string | number;
  method?: string;
}

/** Any success will do for a notification; 202 is what makes the SDK go on as the specification says. */
async function accepted(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, { status: 202 });
}

async function readAnswer(
  response: Response,
  sent: string,
  {
    host,
    request,
    resumption,
    tap,
  }: { host: string; request: Sent['id']; resumption: Resumption | undefined; tap: WireTap },
): Promise<Response> {
  const { status, headers, body } = response;
  const type = mediaType(response);
  if (type === 'text/event-stream' && body) {
    const of = request === undefined ? undefined : { request, resumption };
    return new Response(repairEvents(body, of, tap), { status, headers });
  }
  const text = await readText(response, host);
  const isJson = type === '' || type === 'application/json';
  const json = isJson ? parse(text, host) : undefined;
  const messages = normalizeMessages(json);
  // One that answers something else would leave the request waiting.
  if (!messages.some(message => answers(message, request))) {
    tap.refused(sent, status, text);
    if (type === 'text/html' || isWebPage(text)) throw webPage(host, text);
    throw notMcp(host, status, isJson ? text : `${type}: ${text}`);
  }
  tap.received(text, json);
  return new Response(JSON.stringify(messages.length === 1 ? messages[0] : messages), {
    status,
    headers: withJson(headers),
  });
}

function answers(message: unknown, id: string | number | undefined): boolean {
  if (!isMessage(message) || 'method' in message) return false;
  // An error in answer to nothing is how a server says that it could not even read the request.
  return id === undefined || message.id === id || ('error' in message && message.id == null);
}

/** @throws HostError when it is not read */
function parse(text: string, host: string): unknown {
  try {
    return parseBounded(text);
  } catch (error) {
    if (error instanceof Unreadable) throw tooLarge(host, error.message);
    return undefined; // Not JSON: the caller says what it is instead.
  }
}

/** Of the headers, what still holds and the SDK reads. */
function withJson(headers: Headers): Record<string, string> {
  const session = headers.get('mcp-session-id');
  return { 'content-type': 'application/json', ...(session === null ? {} : { 'mcp-session-id': session }) };
}

async function tooManyRequests(response: Response, host: string): Promise<HostError> {
  const said = (await response.text()).trim();
  const wait = response.headers.get('retry-after')?.trim() ?? '';
  return new HostError(
    'server.busy',
    `${host} says that these are too many requests (429)${said ? `: ${isWebPage(said) ? wordsOfPage(said) : said.slice(0, 200)}` : '.'}`,
    /^\d{1,6}$/.test(wait)
      ? `It did nothing. Try again in ${wait} seconds.`
      : 'It did nothing. Try again in a while.',
  );
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
