import {
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
} from '@modelcontextprotocol/client';
import { HostError } from '../../shared/errors.ts';
import { ProxyFailure } from '../network/proxyFailure.ts';
import { explainNetworkCode } from './networkFailures.ts';
import { isWebPage, wordsOfPage } from './webPage.ts';

/** Why an HTTP server could not be reached or used, in words, with a next step. */
export function explainHttpFailure(error: unknown, url: string): HostError {
  const { host } = new URL(url);
  const known = chain(error).find(link => link instanceof HostError);
  if (known) return known;
  const status = httpStatus(error);
  if (status !== undefined) return explainStatus(status, host, error);
  const proxy = chain(error).find(link => link instanceof ProxyFailure);
  if (proxy)
    return new HostError(
      'server.proxy',
      proxy.message,
      `Check HTTPS_PROXY and NO_PROXY, or the proxy in the settings of your system. Does ${host} need one at all?`,
      { cause: error },
    );
  const code = networkCode(error) ?? (isTimeout(error) ? 'ETIMEDOUT' : undefined);
  const cause = { cause: error };
  const named = code === undefined ? undefined : explainNetworkCode(code, host, error);
  if (named) return named;
  if (isBlockedPort(error))
    return new HostError(
      'server.port',
      `The port of ${host} belongs to another service, and is closed to web clients for safety.`,
      'Let the server listen on another port, such as 3000 or 8080.',
      cause,
    );
  return new HostError(
    'server.failed',
    `The connection to ${host} failed: ${code ?? messageOf(error).slice(0, 300)}`,
    'Check the address and your network, then try Restart.',
    cause,
  );
}

/** Whether it tells that the server is away (or a proxy in front of it says so), and nothing about the request. */
export function isOutage(error: unknown): boolean {
  const status = httpStatus(error);
  if (status !== undefined) return status >= 500;
  return networkCode(error) !== undefined || isTimeout(error);
}

/** The HTTP status that an error is about, wherever in its causes it stands. */
export function httpStatus(error: unknown): number | undefined {
  for (const link of chain(error)) {
    if (link instanceof SdkHttpError) return link.data.status;
    if (link instanceof SseError && link.code !== undefined) return link.code;
    if (link.name === 'UnauthorizedError') return 401;
    if (link instanceof InsufficientScopeError) return 403;
  }
  return undefined;
}

/** Whether only the person can mend it, by signing in or giving a secret: it says nothing about the server. */
export function needsPerson(error: unknown): boolean {
  return chain(error).some(link => link instanceof HostError && /^(auth\.|config\.secret$)/.test(link.code));
}

export function isTimeout(error: unknown): boolean {
  return chain(error).some(link => link instanceof SdkError && link.code === SdkErrorCode.RequestTimeout);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function explainStatus(status: number, host: string, error: unknown): HostError {
  const cause = { cause: error };
  if (status === 401)
    return new HostError(
      'server.unauthorized',
      `${host} wants you to be signed in (401).`,
      'Add the header that the server expects, such as Authorization, under Edit; if there is one, it was refused.',
      cause,
    );
  if (status === 403)
    return new HostError(
      'server.forbidden',
      `${host} refuses these credentials (403).`,
      'They are known but not allowed here: check the account and its rights.',
      cause,
    );
  const said = bodyOf(error);
  if (status === 404)
    return new HostError(
      'server.notFound',
      `There is no MCP endpoint at this address on ${host} (404)${said ? `: ${said}` : '.'}`,
      'Check the path of the URL; often it is /mcp.',
      cause,
    );
  if (status >= 300 && status < 400)
    return new HostError(
      'server.redirect',
      `${host} sends you elsewhere (${status}). ${said}`,
      'If you trust that address, put it in place of the present one under Edit. A sign-in page is not one.',
      cause,
    );
  if (status >= 500)
    return new HostError(
      'server.broken',
      `${host} has a problem of its own (${status})${said ? `: ${said}` : '.'}`,
      'Try Restart in a while.',
      cause,
    );
  return new HostError(
    'server.http',
    `${host} answered ${status}${said ? `: ${said}` : '.'}`,
    'Check the URL and the headers.',
    cause,
  );
}

/** What the server said beside the status, shortened; for a redirect, where it pointed. */
function bodyOf(error: unknown): string {
  const http = chain(error).find(link => link instanceof SdkHttpError);
  if (!http) return '';
  const said = http.message.replace(/^[^:]*: /, '').replace(/ \(redirectPolicy.*$/, '');
  return isWebPage(said) ? wordsOfPage(said) : said.trim().slice(0, 200);
}

function networkCode(error: unknown): string | undefined {
  for (const link of chain(error)) {
    // It means to have a code, and has none.
    if (link.name === 'HTTPParserError') return 'HPE_INVALID';
    const { code } = link as NodeJS.ErrnoException;
    if (link instanceof SdkError || typeof code !== 'string') continue;
    if (/^(E[A-Z0-9_]+|UND_ERR_\w+|\w*CERT\w*|UNABLE_TO_\w+|Z_\w+|HPE_\w+)$/.test(code)) return code;
  }
  return undefined;
}

/** The list of the Fetch standard, https://fetch.spec.whatwg.org/#port-blocking. */
function isBlockedPort(error: unknown): boolean {
  return chain(error).some(({ message }) => message === 'bad port');
}

/** The error and what caused it, outermost first. The SDK puts some causes into `data`, Node some into `errors`. */
function chain(error: unknown): Error[] {
  const links: Error[] = [];
  let next: unknown = error;
  while (next instanceof Error && links.length < 10) {
    links.push(next);
    const { cause, data, errors } = next as {
      cause?: unknown;
      data?: { cause?: unknown };
      errors?: unknown[];
    };
    next = cause ?? data?.cause ?? errors?.[0];
  }
  return links;
}
