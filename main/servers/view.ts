import type { Client, Implementation } from '@modelcontextprotocol/client';
import { type ErrorInfo, HostError, toErrorInfo } from '../../shared/errors.ts';
import type { EraReason, ServerConfig, ServerView } from '../../shared/servers.ts';
import { explainHttpFailure, messageOf } from './failures.ts';
import { explainHandshake } from './handshakeFailures.ts';
import { understandIcons } from './icons.ts';
import type { Lists } from './lists.ts';
import { maskConfig } from './masking.ts';
import type { ServerLog } from './serverLog.ts';
import { SessionFailure } from './session.ts';
import { MAX_TEXT, shorten } from './shortTexts.ts';
import { SseTransport } from './sseTransport.ts';
import type { Status } from './status.ts';
import type { Exit } from './stdio.ts';

/** A connection as a person sees it; no secret is in it. */
export function viewOf(
  name: string,
  config: ServerConfig,
  now: {
    access: Pick<ServerView, 'signedIn' | 'secrets'>;
    status: Status;
    client: Client | undefined;
    eraReason: EraReason | undefined;
    /** As last known, so that what the model reads does not change with every lost connection. */
    instructions: string | undefined;
    lists: Lists;
    redact(text: string): string;
  },
): ServerView {
  const { access, status, client, eraReason, instructions, lists, redact } = now;
  const { state, since, error, activity } = status;
  const info = client?.getServerVersion();
  const era = client?.getProtocolEra();
  const protocolVersion = client?.getNegotiatedProtocolVersion();
  const capabilities = client?.getServerCapabilities();
  return {
    name,
    config: maskConfig(config),
    ...access,
    state,
    since,
    ...(error ? { error } : {}),
    ...(era ? { era } : {}),
    ...(era && eraReason ? { eraReason } : {}),
    ...(protocolVersion ? { protocolVersion } : {}),
    ...(info ? { serverInfo: selfDescription(info) } : {}),
    ...(capabilities && isShown(capabilities) ? { capabilities } : {}),
    ...(instructions ? { instructions } : {}),
    counts: { tools: lists.tools.length, prompts: lists.prompts.length, resources: lists.resources.length },
    notes: [...status.notes, ...transportNotes(client), ...lists.notes].map(redact),
    ...(activity ? { activity } : {}),
  };
}

/** Extensions may put anything there, and the whole view goes to the window with every change. */
const MAX_CAPABILITIES_LENGTH = 64 * 1024;

function isShown(capabilities: object): boolean {
  return JSON.stringify(capabilities).length <= MAX_CAPABILITIES_LENGTH;
}

function transportNotes(client: Client | undefined): string[] {
  return client?.transport instanceof SseTransport
    ? ['It is reached over the old HTTP+SSE transport, which has been replaced since 2025.']
    : [];
}

function selfDescription(info: Implementation): NonNullable<ServerView['serverInfo']> {
  const { name, version, title, description, websiteUrl } = info;
  const icons = understandIcons(info.icons);
  return {
    name: shorten(name, MAX_TEXT.title),
    version: shorten(version, MAX_TEXT.title),
    ...(title ? { title: shorten(title, MAX_TEXT.title) } : {}),
    ...(description ? { description: shorten(description, MAX_TEXT.description) } : {}),
    ...(websiteUrl && websiteUrl.length <= MAX_TEXT.name ? { websiteUrl } : {}),
    ...(icons ? { icons } : {}),
  };
}

/** An entry of servers.json that cannot be used, as a server that failed. */
export function viewOfBadEntry(name: string, error: ErrorInfo): ServerView {
  return {
    name,
    config: { type: 'stdio', command: '?' },
    state: 'failed',
    since: 0,
    error,
    counts: { tools: 0, prompts: 0, resources: 0 },
    notes: [],
  };
}

/** Why a server is not there, with its exit and its last words, and what happens next. */
export function explainFailure(
  error: unknown,
  about: {
    config: ServerConfig;
    log: ServerLog;
    exit: Exit | undefined;
    /** Milliseconds until it is started again by itself. */
    wait: number | undefined;
  },
): ErrorInfo {
  const { config, log, wait } = about;
  const exit = error instanceof SessionFailure ? error.exit : about.exit;
  const cause = error instanceof SessionFailure ? error.cause : error;
  const { code, message, hint } = explain(cause, config, exit, log);
  const next =
    wait === undefined ? hint : `Parley starts it again in ${Math.ceil(wait / 1000)} s. ${hint ?? ''}`.trim();
  return { code, message: log.redact(message), ...(next ? { hint: log.redact(next) } : {}) };
}

function explain(error: unknown, config: ServerConfig, exit: Exit | undefined, log: ServerLog): ErrorInfo {
  if (error instanceof HostError) return toErrorInfo(error);
  const handshake = exit ? undefined : explainHandshake(error, config.era);
  if (handshake) return toErrorInfo(handshake);
  if (config.type === 'http')
    return toErrorInfo(explainHttpFailure(error ?? new Error('it was closed'), config.url));
  const said = log.tail();
  if (exit) {
    const how = exit.signal ? `was ended by ${exit.signal}` : `ended with exit code ${exit.code}`;
    return {
      code: 'server.exited',
      message: `The server ${how}${said ? `:\n${said}` : '.'}`,
      hint: 'Fix what its log says, then press Restart.',
    };
  }
  return {
    code: 'server.failed',
    message:
      error === undefined ? 'The connection to the server was closed.' : messageOf(error).slice(0, 500),
    hint: said ? `Its log ends with:\n${said}` : 'Look at its log, then try Restart.',
  };
}
