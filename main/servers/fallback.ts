import type { PriorDiscovery } from '@modelcontextprotocol/client';
import { httpStatus, messageOf } from './failures.ts';
import { openSession, type Session, type SessionDeps, SessionFailure } from './session.ts';

/** What a server of the HTTP+SSE transport says to a message that is posted to the address of its stream. */
const REFUSALS = [400, 404, 405];

/**
 * Opens a session over the transport of the server's entry. A remote server that answers the very first message with
 * 400, 404 or 405 may be one of before Streamable HTTP, and is tried as one. Every other failure (a sign-in, a
 * server or network that is down) says nothing about the transport.
 * @throws SessionFailure about the first attempt: the second one's reason would hide the real one
 * @see the backwards compatibility section of the specification's transports page
 */
export async function openWithFallback(
  prior: PriorDiscovery | undefined,
  deps: SessionDeps,
  signal: AbortSignal,
): Promise<Session> {
  const { config, log } = deps;
  if (config.type === 'stdio') return openSession(prior, deps, signal);
  // The old transport only ever spoke the old era.
  if (config.transport === 'sse') return openSession({ kind: 'legacy' }, deps, signal);
  if (config.era === 'modern') return openSession(prior, deps, signal);
  try {
    return await openSession(prior, deps, signal);
  } catch (first) {
    if (signal.aborted || !isRefusedAtOnce(first)) throw first;
    try {
      const old = { ...deps, config: { ...config, transport: 'sse' as const } };
      return await openSession({ kind: 'legacy' }, old, signal);
    } catch (second) {
      log.note(`Tried as an HTTP+SSE server too, without success: ${messageOf(second)}`);
      throw first;
    }
  }
}

function isRefusedAtOnce(error: unknown): boolean {
  const status = httpStatus(error);
  return (
    error instanceof SessionFailure && !error.answered && status !== undefined && REFUSALS.includes(status)
  );
}
