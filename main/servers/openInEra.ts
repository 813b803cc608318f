import { isDeepStrictEqual } from 'node:util';
import type { PriorDiscovery } from '@modelcontextprotocol/client';
import type { EraReason, ServerConfig } from '../../shared/servers.ts';
import type { Eras } from './eras.ts';
import { httpStatus, isOutage, needsPerson } from './failures.ts';
import { type Session, SessionFailure } from './session.ts';
import { SseTransport } from './sseTransport.ts';

type Open = (prior: PriorDiscovery | undefined) => Promise<Session>;

/** A session, and why it speaks the era that it does. */
export interface Opened {
  session: Session;
  reason: EraReason;
}

/**
 * Opens a session in the era that the entry asks for, or that is remembered for it, or finds it out and remembers it.
 * What is remembered is forgotten when it proves wrong.
 * @throws what `open` throws
 */
export async function openInEra(
  config: ServerConfig,
  eras: Eras,
  signal: AbortSignal,
  open: Open,
): Promise<Opened> {
  if (config.era === 'legacy') return { session: await open({ kind: 'legacy' }), reason: 'pinned' };
  const known = recall(config, eras);
  const opened =
    (known && (await openKnown(known, config, eras, signal, open))) ?? (await probe(config, open, signal));
  const { verdict } = opened.session;
  // A verdict that was only believed keeps its date: it must be able to grow old.
  if (!isDeepStrictEqual(verdict, known)) eras.remember(config, verdict);
  return config.era ? { ...opened, reason: 'pinned' } : opened;
}

function recall(config: ServerConfig, eras: Eras): PriorDiscovery | undefined {
  const known = eras.recall(config);
  return config.era && config.era !== known?.kind ? undefined : known;
}

/** The session; undefined when the era has to be found out anew. */
async function openKnown(
  known: PriorDiscovery,
  config: ServerConfig,
  eras: Eras,
  signal: AbortSignal,
  open: Open,
): Promise<Opened | undefined> {
  let session: Session;
  try {
    session = await open(known);
  } catch (error) {
    if (signal.aborted || !isAboutEra(error, config)) throw error;
    eras.forget(config);
    // An old server that only fails to start would fail again at once; the next start asks it anew.
    if (known.kind === 'legacy' && error instanceof SessionFailure && error.exit) throw error;
    return undefined;
  }
  if (isSameServer(session.verdict, known)) return { session, reason: 'remembered' };
  // The server has been changed since: the client still believes what it was told first.
  const { verdict } = session;
  return { session: await reopen(session, verdict, open), reason: 'discovered' };
}

async function probe(config: ServerConfig, open: Open, signal: AbortSignal): Promise<Opened> {
  let session: Session;
  try {
    session = await open(undefined);
  } catch (error) {
    if (signal.aborted || !(error instanceof SessionFailure)) throw error;
    if (error.lateDiscovery) return { session: await open(error.lateDiscovery), reason: 'discoveredLate' };
    // Some old servers end at the first request they do not know: a fresh one, and the old handshake.
    if (error.diedOfProbe && !config.era)
      return { session: await openOld(error, signal, open), reason: 'ended' };
    throw error;
  }
  const { lateDiscovery, verdict } = session;
  if (lateDiscovery) return { session: await reopen(session, lateDiscovery, open), reason: 'discoveredLate' };
  if (session.client.transport instanceof SseTransport) return { session, reason: 'transport' };
  return { session, reason: verdict.kind === 'modern' ? 'discovered' : 'undiscovered' };
}

/** One that knows no old handshake either is a modern server, and its end was the reason. */
async function openOld(end: SessionFailure, signal: AbortSignal, open: Open): Promise<Session> {
  try {
    return await open({ kind: 'legacy' });
  } catch (error) {
    const refused = error instanceof SessionFailure && !error.exit && !error.answered;
    throw refused && !signal.aborted ? end : error;
  }
}

async function reopen(session: Session, prior: PriorDiscovery, open: Open): Promise<Session> {
  await session.close();
  return open(prior);
}

/** A remote server that is away, or refuses us, says nothing about its era; nor does one that could not be started. */
function isAboutEra(error: unknown, config: ServerConfig): boolean {
  if (!(error instanceof SessionFailure) || needsPerson(error)) return false;
  const status = httpStatus(error);
  return config.type === 'stdio' || (status !== 401 && status !== 403 && !isOutage(error));
}

/** What connecting depends on; how long an answer may be kept is not a part of it. */
function isSameServer(a: PriorDiscovery, b: PriorDiscovery): boolean {
  if (a.kind === 'legacy' || b.kind === 'legacy') return a.kind === b.kind;
  const essence = ({ capabilities, supportedVersions, instructions, _meta }: typeof a.discover) =>
    JSON.parse(JSON.stringify([capabilities, supportedVersions, instructions ?? null, _meta ?? null]));
  return isDeepStrictEqual(essence(a.discover), essence(b.discover));
}
