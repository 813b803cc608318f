import { HostError } from '../../../shared/errors.ts';
import { readText } from '../bodies.ts';
import { explainHttpFailure } from '../failures.ts';
import type { Send } from '../types.ts';

/** An authorization server answers at once; a person waits for it. */
const TIME_LIMIT_MS = 30_000;

/**
 * How the requests of a sign-in are sent, whose addresses come from servers: over https only (plain http within this
 * machine), never from a public server into a private network, with a time limit, and with errors that name the host
 * which failed. Redirects are the SDK's: it follows them within an origin.
 * @see the security best practices of the specification, server-side request forgery
 */
export function authSend(send: Send, serverUrl: string, signal: AbortSignal): Send {
  return async (input, init) => {
    const url = new URL(String(input));
    requireHarmless(url, new URL(serverUrl));
    const limits = [signal, AbortSignal.timeout(TIME_LIMIT_MS), init?.signal ?? signal];
    try {
      const response = await send(input, { ...init, signal: AbortSignal.any(limits) });
      if (!response.ok) return response;
      const { status, headers } = response;
      return new Response(await readText(response, url.host), { status, headers: withoutLength(headers) });
    } catch (error) {
      if (signal.aborted) throw error;
      throw explainHttpFailure(error, url.href);
    }
  };
}

/** @throws HostError when it must not be asked */
function requireHarmless(url: URL, server: URL): void {
  // The person chose the server, wherever it is and however it is reached.
  if (url.origin === server.origin) return;
  const isEncrypted = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  if (isEncrypted && !(isPrivate(url.hostname) && !isPrivate(server.hostname))) return;
  throw new HostError(
    'auth.address',
    `${server.host} sends the sign-in to ${url.origin}, which ${isEncrypted ? 'is inside your own network' : 'is not encrypted'}.`,
    'Parley did not go there. Ask whoever runs the server.',
  );
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** This machine, or a number of a private, link-local or shared network. */
function isPrivate(hostname: string): boolean {
  return (
    isLoopback(hostname) ||
    /^(0|10|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(
      hostname,
    ) ||
    /^\[(::|f[cd]|fe[89ab])/i.test(hostname)
  );
}

/** The text has been unpacked, and may be longer now. */
function withoutLength(headers: Headers): Headers {
  const next = new Headers(headers);
  for (const name of ['content-length', 'content-encoding']) next.delete(name);
  return next;
}
