import {
  type Client,
  isSpecType,
  type PriorDiscovery,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import type { ServerConfig } from '../../shared/servers.ts';
import type { Ports } from '../ports.ts';
import type { AskingServer } from './asking.ts';
import type { Calls } from './calls.ts';
import { CAPABILITIES } from './capabilities.ts';
import { prepareLaunch } from './command.ts';
import { messageOf } from './failures.ts';
import { HostClient } from './hostClient.ts';
import { createHttpTransport } from './http.ts';
import { ListeningStreams } from './listeningStreams.ts';
import { type Lists, readLists } from './lists.ts';
import { hearLogMessages } from './logMessages.ts';
import { limitNews } from './newsLimit.ts';
import { RawRequests } from './rawRequests.ts';
import type { Reaper } from './reaper.ts';
import { ResponseCache } from './responseCache.ts';
import type { ServerLog } from './serverLog.ts';
import { answerServer } from './serverRequests.ts';
import { SseTransport } from './sseTransport.ts';
import { type Exit, StdioTransport } from './stdio.ts';
import type { Traffic } from './traffic.ts';
import type { Send } from './types.ts';
import { WireTap } from './wireTap.ts';

/**
 * A silent local process is an old server that ignores what it does not know, or one that is still being installed:
 * `SessionFailure.lateDiscovery` and `Session.lateDiscovery` tell them apart in the end. A silent remote one is away.
 */
const PROBE_MS = { stdio: 5000, http: 30_000 };
/** The first revision of the modern era. */
const MODERN = '2026-07-28';
/** Longest delay of a timer: a first start may download for as long as it takes, and the person can end it. */
const UNLIMITED_MS = 2 ** 31 - 1;
const HANDSHAKE_MS = 60_000;
const GOODBYE_MS = 1000;

export interface SessionDeps {
  config: ServerConfig;
  server: AskingServer;
  ports: Ports;
  reaper: Reaper;
  log: ServerLog;
  traffic: Traffic;
  calls: Calls;
  /** How requests to a remote server are sent. */
  send: Send;
  roots(): readonly string[];
  onStderr(line: string): void;
  onNoise(line: string): void;
  onUnreadable(why: string): void;
  /** A remote server may have forgotten us, or be away: somebody should look. */
  doubt(): void;
}

/** One life of a connection: one SDK client on one transport, from the handshake to the end. */
export interface Session {
  readonly client: Client;
  /** For methods of extensions. */
  readonly raw: RawRequests;
  /** What the client keeps of the server's answers. */
  readonly cache: ResponseCache;
  readonly lists: Lists;
  readonly listChanges: ListChanges;
  readonly listening: ListeningStreams;
  /** What this server turned out to be. */
  readonly verdict: PriorDiscovery;
  /** A modern server's answer that came too late for the probe: the session speaks the wrong era. */
  readonly lateDiscovery: PriorDiscovery | undefined;
  /** Fires when the session is over, for whatever reason. */
  readonly over: AbortSignal;
  /** How the process ended by itself, once it has. */
  readonly exit: Exit | undefined;
  /** The id that a legacy HTTP server gave to this session. */
  readonly sessionId: string | undefined;
  /** Resolves when nothing of it is left. */
  close(): Promise<void>;
}

/** News of changed lists. They may come before anybody listens. */
export interface ListChanges {
  missed: boolean;
  onChange?: () => void;
}

/** Why a session did not come about. Nothing of it is left. */
export class SessionFailure extends Error {
  constructor(
    override readonly cause: unknown,
    /** How the process had ended by itself. */
    readonly exit: Exit | undefined,
    readonly lateDiscovery: PriorDiscovery | undefined,
    /** The server had said who it is, now or when it was remembered. */
    readonly answered: boolean,
  ) {
    super(messageOf(cause), { cause });
    this.name = 'SessionFailure';
  }

  /** The process ended when it was asked for its era, as some old servers do. */
  get diedOfProbe(): boolean {
    const { cause, exit } = this;
    return (
      exit !== undefined && cause instanceof SdkError && cause.code === SdkErrorCode.EraNegotiationFailed
    );
  }
}

/**
 * Starts or reaches the server, agrees on an era (or believes `prior`) and reads its lists.
 * @throws SessionFailure, or HostError when there is nothing to start
 */
export async function openSession(
  prior: PriorDiscovery | undefined,
  deps: SessionDeps,
  signal: AbortSignal,
): Promise<Session> {
  const listening = new ListeningStreams();
  const transport = await createTransport(deps, listening);
  signal.throwIfAborted();
  const listChanges: ListChanges = { missed: false };
  const cache = new ResponseCache();
  const client = createClient(deps, listChanges, cache);
  const over = new AbortController();
  const abort = () => void transport.close();
  signal.addEventListener('abort', abort, { once: true });
  try {
    const timeout = deps.config.type === 'stdio' ? UNLIMITED_MS : (deps.config.timeoutMs ?? HANDSHAKE_MS);
    await client.connect(transport, { timeout, signal, ...(prior ? { prior } : {}) });
    client.onclose = () => over.abort();
    limitNews(transport, deps.log);
    const [lists] = await Promise.all([
      readLists(client, signal),
      // A remembered answer needs no round trip to connect; whether it is still true is found out on the way.
      prior?.kind === 'modern' ? client.discover({ signal }) : undefined,
    ]);
    signal.throwIfAborted();
    if (over.signal.aborted) throw new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    const raw = new RawRequests(client, clientInfo(deps.ports), over.signal);
    return asSession(client, transport, { raw, cache, lists, listChanges, listening, over });
  } catch (error) {
    // Before it is closed: how it ends then is no reason for anything.
    const exit = exitOf(transport);
    const late = lateDiscovery(client, transport);
    const answered = client.getServerCapabilities() !== undefined;
    await client.close().catch(() => undefined); // The transport below is what counts.
    await transport.close();
    throw new SessionFailure(error, exit, late, answered);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

type OwnTransport = StdioTransport | StreamableHTTPClientTransport | SseTransport;

async function createTransport(deps: SessionDeps, listening: ListeningStreams): Promise<OwnTransport> {
  const tap = new WireTap(deps.traffic);
  if (deps.config.type === 'http')
    return deps.config.transport === 'sse'
      ? new SseTransport(deps.config, deps.send, tap)
      : createHttpTransport(deps.config, deps.doubt, listening.through(deps.send), tap);
  const { onStderr, onNoise, onUnreadable } = deps;
  deps.log.begin();
  const launch = await prepareLaunch(deps.config, deps.ports);
  return new StdioTransport(launch, deps.reaper, { onStderr, onNoise, onUnreadable }, tap);
}

function createClient(
  { config, server, ports, calls, log, roots }: SessionDeps,
  changes: ListChanges,
  responseCacheStore: ResponseCache,
): Client {
  const client = new HostClient(clientInfo(ports), {
    capabilities: CAPABILITIES,
    responseCacheStore,
    // The SDK would compile and run schemas of the server without bounds; schemaCheck.ts is where that is done.
    jsonSchemaValidator: {
      getValidator: () => data => ({ valid: true, data, errorMessage: undefined }) as never,
    },
    versionNegotiation: negotiation(config),
  });
  hearLogMessages(client, log);
  answerServer(client, { server, log, roots, visits: calls.visits, asking: () => calls.asking() });
  for (const list of ['tools', 'prompts', 'resources'] as const) {
    client.setNotificationHandler(`notifications/${list}/list_changed`, () => {
      if (changes.onChange) changes.onChange();
      else changes.missed = true;
    });
  }
  client.onerror = error => void log.note(`${messageOf(error)}`);
  return client;
}

/** Where only the modern era will do, a silent local process can be waited for: there is nothing else to try. */
function negotiation({ era, type }: ServerConfig): VersionNegotiationOptions {
  const patience = era === 'modern' && type === 'stdio' ? UNLIMITED_MS : PROBE_MS[type];
  return { mode: era === 'modern' ? { pin: MODERN } : 'auto', probe: { timeoutMs: patience } };
}

function clientInfo({ version }: Ports): { name: string; version: string } {
  return { name: 'Parley', version };
}

function asSession(
  client: Client,
  transport: OwnTransport,
  parts: Pick<Session, 'raw' | 'cache' | 'lists' | 'listChanges' | 'listening'> & { over: AbortController },
): Session {
  const { raw, cache, lists, listChanges, listening, over } = parts;
  const discover = client.getProtocolEra() === 'modern' ? client.getDiscoverResult() : undefined;
  const verdict: PriorDiscovery = discover ? { kind: 'modern', discover } : { kind: 'legacy' };
  let closing: Promise<void> | undefined;
  return {
    client,
    raw,
    cache,
    lists,
    listChanges,
    listening,
    verdict,
    lateDiscovery: lateDiscovery(client, transport),
    over: over.signal,
    get exit() {
      return exitOf(transport);
    },
    get sessionId() {
      return transport instanceof StreamableHTTPClientTransport ? transport.sessionId : undefined;
    },
    close() {
      closing ??= (async () => {
        over.abort();
        if (transport instanceof StreamableHTTPClientTransport) await sayGoodbye(transport);
        await client.close().catch(() => undefined); // The transport below is what counts.
        await transport.close();
      })();
      return closing;
    },
  };
}

/** Tells a legacy server that its session can be forgotten; an old courtesy that must not delay anything. */
async function sayGoodbye(transport: StreamableHTTPClientTransport): Promise<void> {
  if (transport.sessionId === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, GOODBYE_MS);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), late]);
  clearTimeout(timer);
}

function exitOf(transport: OwnTransport): Exit | undefined {
  return transport instanceof StdioTransport ? transport.exit : undefined;
}

function lateDiscovery(client: Client, transport: OwnTransport): PriorDiscovery | undefined {
  if (client.getProtocolEra() === 'modern' || !(transport instanceof StdioTransport)) return undefined;
  for (const reply of transport.probeReplies) {
    if (!('result' in reply) || !isSpecType.DiscoverResult(reply.result)) continue;
    const discover = reply.result;
    if (discover.supportedVersions.some(version => version >= MODERN)) return { kind: 'modern', discover };
  }
  return undefined;
}
