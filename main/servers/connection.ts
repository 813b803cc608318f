import {
  Client,
  type PriorDiscovery,
  ProtocolError,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
import type { ToolResult } from '../../shared/chat.ts';
import { type ErrorInfo, HostError, toErrorInfo } from '../../shared/errors.ts';
import type { ServerConfig, ServerState, ServerView } from '../../shared/servers.ts';
import type { JsonObject } from '../../shared/tools.ts';
import type { Asks } from '../consent/asks.ts';
import type { Ports } from '../ports.ts';
import { CallClock } from './callClock.ts';
import { prepareLaunch } from './command.ts';
import { type AskContext, handleElicitations } from './elicitation.ts';
import type { Eras } from './eras.ts';
import { explainHttpFailure, messageOf } from './failures.ts';
import { createHttpTransport } from './http.ts';
import { type Lists, readLists } from './lists.ts';
import { maskConfig, secretsOf } from './masking.ts';
import type { Reaper } from './reaper.ts';
import { ServerLog } from './serverLog.ts';
import { type Exit, StdioTransport } from './stdio.ts';
import type { CallOptions, ListedTool } from './types.ts';

const PROBE_MS = 5000;
const CALL_IDLE_MS = 60_000;
const CALL_TOTAL_MS = 60 * 60_000;
/** A first start may download for minutes; only silence this long counts as "never going to answer". */
const CONNECT_SILENCE_MS = 5 * 60_000;
const RESTART_PAUSES_MS = [1000, 2000, 4000, 8000, 16_000];
const STABLE_MS = 60_000;
const LIST_PAUSE_MS = 50;
const LISTEN_PAUSES_MS = [500, 1000, 2000, 5000, 10_000, 30_000];

export interface ConnectionDeps {
  ports: Ports;
  asks: Asks;
  eras: Eras;
  reaper: Reaper;
  /** The view has changed. */
  onChange(view: ServerView): void;
  onToolsChanged(): void;
}

interface Session {
  client: Client;
  transport: StdioTransport | ReturnType<typeof createHttpTransport>;
  /** Fires when the session is over, for whatever reason. */
  over: AbortController;
}

/** One server: its state machine, its one SDK client at a time, its lists, and the calls to it. */
export class Connection {
  readonly name: string;
  readonly config: ServerConfig;
  readonly #deps: ConnectionDeps;
  readonly #log: ServerLog;
  readonly #notes = new Set<string>();
  readonly #calls = new Set<AskContext>();
  #state: ServerState = 'stopped';
  #since = Date.now();
  #error: ErrorInfo | undefined;
  #activity: string | undefined;
  #lists: Lists = { tools: [], prompts: 0, resources: 0, notes: [] };
  #session: Session | undefined;
  /** How the process of the last session ended, if it had one. */
  #lastExit: Exit | undefined;
  #attempt: Promise<void> = Promise.resolve();
  #restarts = 0;
  #restartTimer: NodeJS.Timeout | undefined;
  #relistTimer: NodeJS.Timeout | undefined;
  #activityTimer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(name: string, config: ServerConfig, deps: ConnectionDeps) {
    this.name = name;
    this.config = config;
    this.#deps = deps;
    this.#log = new ServerLog(secretsOf(config));
    if (config.disabled) this.#state = 'off';
  }

  get state(): ServerState {
    return this.#state;
  }

  /** What the server listed; kept while it is away, so that its tools do not flicker. */
  get tools(): readonly ListedTool[] {
    return this.#lists.tools;
  }

  get view(): ServerView {
    const client = this.#session?.client;
    const info = client?.getServerVersion();
    const era = client?.getProtocolEra();
    const version = client?.getNegotiatedProtocolVersion();
    const instructions = client?.getInstructions();
    return {
      name: this.name,
      config: maskConfig(this.config),
      state: this.#state,
      since: this.#since,
      ...(this.#error ? { error: this.#error } : {}),
      ...(era ? { era } : {}),
      ...(version ? { protocolVersion: version } : {}),
      ...(info
        ? {
            serverInfo: {
              name: info.name,
              version: info.version,
              ...(info.title ? { title: info.title } : {}),
            },
          }
        : {}),
      ...(instructions ? { instructions } : {}),
      counts: {
        tools: this.#lists.tools.length,
        prompts: this.#lists.prompts,
        resources: this.#lists.resources,
      },
      notes: [...this.#notes, ...this.#lists.notes],
      ...(this.#activity ? { activity: this.#activity } : {}),
    };
  }

  log(): string[] {
    return this.#log.lines();
  }

  /** Starts connecting and returns; `settled` tells when it is over. */
  start(): void {
    if (this.config.disabled || this.#ended) return;
    clearTimeout(this.#restartTimer);
    this.#notes.clear();
    this.#become('connecting');
    this.#attempt = this.#connect();
  }

  /** Resolves when the server is not connecting any more. */
  async settled(): Promise<void> {
    await this.#attempt;
  }

  async restart(): Promise<void> {
    await this.#endSession();
    this.#restarts = 0;
    this.start();
  }

  /** Ends for good. */
  async close(): Promise<void> {
    this.#ended = true;
    for (const timer of [this.#restartTimer, this.#relistTimer, this.#activityTimer]) clearTimeout(timer);
    await this.#endSession();
    if (this.#state !== 'off') this.#become('stopped');
  }

  /** @throws HostError for everything but a result: protocol errors, time-outs, a server that is gone, Stop. */
  async callTool(name: string, args: JsonObject, options: CallOptions): Promise<ToolResult> {
    const session = this.#session;
    if (this.#state !== 'ready' || !session) {
      throw new HostError(
        'server.offline',
        `The server “${this.name}” is not connected (${this.#state}).`,
        'Look at it on the Servers screen.',
      );
    }
    const clock = new CallClock(this.config.timeoutMs ?? CALL_IDLE_MS, CALL_TOTAL_MS);
    const context: AskContext = {
      conversationId: options.conversationId,
      signal: AbortSignal.any([options.signal, session.over.signal]),
      pause: work => clock.pausedDuring(work),
    };
    this.#calls.add(context);
    try {
      return await this.#send(session, name, args, options, clock);
    } catch (error) {
      throw this.#explainCall(error, name, options.signal, clock.signal, session);
    } finally {
      clock.stop();
      this.#calls.delete(context);
    }
  }

  async #send(
    session: Session,
    name: string,
    args: JsonObject,
    options: CallOptions,
    clock: CallClock,
  ): Promise<ToolResult> {
    const listed = this.#lists.tools.find(tool => tool.name === name);
    const result = await session.client.callTool(
      { name, arguments: args },
      {
        // The output schema is the server's promise about itself; breaking it must not cost the result.
        ...(listed
          ? {
              toolDefinition: {
                name,
                inputSchema: { type: 'object', ...listed.inputSchema } as { type: 'object' },
              },
            }
          : {}),
        signal: AbortSignal.any([options.signal, clock.signal, session.over.signal]),
        timeout: CALL_TOTAL_MS,
        onprogress: progress => {
          clock.touch();
          const { progress: done, total, message } = progress;
          options.onProgress?.({
            progress: done,
            ...(total === undefined ? {} : { total }),
            ...(message === undefined ? {} : { message }),
          });
        },
      },
    );
    // Some servers wrap the result; the SDK would make an empty one of it.
    if ('toolResult' in result)
      throw new SdkError(SdkErrorCode.InvalidResult, 'The result is wrapped in "toolResult".');
    return {
      content: result.content as ToolResult['content'],
      ...(result.structuredContent === undefined ? {} : { structuredContent: result.structuredContent }),
      ...(result.isError === undefined ? {} : { isError: result.isError }),
    };
  }

  #explainCall(
    error: unknown,
    tool: string,
    stop: AbortSignal,
    clock: AbortSignal,
    session: Session,
  ): HostError {
    if (error instanceof HostError) return error;
    const cause = { cause: error };
    if (stop.aborted) return new HostError('call.cancelled', 'The call was stopped.', undefined, cause);
    if (clock.aborted)
      return new HostError(
        'call.timeout',
        `“${tool}” did not answer in time.`,
        'It may still be running on the server. A longer limit can be set for the server.',
        cause,
      );
    if (session.over.signal.aborted)
      return new HostError(
        'server.gone',
        `The server “${this.name}” ended while “${tool}” was running; the tool may have run.`,
        this.#error?.hint,
        cause,
      );
    if (error instanceof ProtocolError) {
      const data = error.data === undefined ? '' : ` ${JSON.stringify(error.data).slice(0, 500)}`;
      const message = error.message || 'the server gave no message';
      return new HostError('call.protocol', `${message} (${error.code})${data}`, undefined, cause);
    }
    if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult) {
      return new HostError(
        'call.malformed',
        `The server's answer to “${tool}” was malformed.`,
        undefined,
        cause,
      );
    }
    if (this.config.type === 'http') return explainHttpFailure(error, this.config.url);
    return new HostError('call.failed', messageOf(error), undefined, cause);
  }

  async #connect(): Promise<void> {
    const known = this.#deps.eras.recall(this.config);
    try {
      await this.#openAs(known);
    } catch (error) {
      if (this.#ended || this.#state !== 'connecting') return;
      this.#fail(error);
    }
  }

  /** Opens with what is known; where that proves wrong, finds the era anew. */
  async #openAs(prior: PriorDiscovery | undefined): Promise<void> {
    try {
      return await this.#open(prior);
    } catch (error) {
      if (this.#ended) throw error;
      if (prior) {
        this.#deps.eras.forget(this.config);
        return this.#openAs(undefined);
      }
      // Some old servers end at the first request they do not know: start anew with the old handshake.
      if (this.config.type === 'stdio' && diedDuringProbe(error)) return this.#open({ kind: 'legacy' });
      throw error;
    }
  }

  async #open(prior: PriorDiscovery | undefined): Promise<void> {
    const over = new AbortController();
    const transport = await this.#createTransport();
    const client = new Client(
      { name: 'Parley', version: this.#deps.ports.version },
      {
        capabilities: { elicitation: { form: {}, url: {} } },
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: PROBE_MS } },
      },
    );
    const session: Session = { client, transport, over };
    this.#session = session;
    this.#prepare(session);
    const silence = this.#watchSilence(over.signal);
    try {
      await client.connect(transport, {
        timeout: 2 ** 31 - 1,
        signal: silence.signal,
        ...(prior ? { prior } : {}),
      });
      const lists = await readLists(client, silence.signal);
      this.#deps.eras.remember(this.config, verdictOf(client));
      this.#lists = lists;
      this.#activity = undefined;
      this.#become('ready');
      this.#deps.onToolsChanged();
      void this.#listen(session);
    } catch (error) {
      await client.close().catch(() => undefined);
      await transport.close();
      this.#keepExit(transport);
      over.abort();
      if (this.#session === session) this.#session = undefined;
      throw silence.signal.aborted && !this.#lastExit
        ? new HostError(
            'server.silent',
            `“${this.name}” has not answered for ${CONNECT_SILENCE_MS / 60_000} minutes.`,
            'Look at its log, then try Restart.',
          )
        : error;
    } finally {
      silence.stop();
    }
  }

  async #createTransport(): Promise<Session['transport']> {
    if (this.config.type === 'http') return createHttpTransport(this.config);
    const launch = await prepareLaunch(this.config, this.#deps.ports);
    return new StdioTransport(launch, this.#deps.reaper, {
      onStderr: line => this.#heard(this.#log.add(line)),
      onNoise: line => {
        this.#log.add(line);
        this.#note('It prints text to stdout that is not protocol; that text is in its log.');
      },
    });
  }

  #prepare(session: Session): void {
    const { client, over } = session;
    handleElicitations(client, {
      server: this.name,
      asks: this.#deps.asks,
      openExternal: url => this.#deps.ports.openExternal(url),
      // A server does not say which call its question belongs to; the newest running one is the best guess.
      context: () =>
        [...this.#calls].at(-1) ?? { conversationId: undefined, signal: over.signal, pause: work => work() },
    });
    for (const list of ['tools', 'prompts', 'resources'] as const) {
      client.setNotificationHandler(`notifications/${list}/list_changed`, () => this.#relistSoon(session));
    }
    client.onerror = error => void this.#log.add(`[parley] ${messageOf(error)}`);
    client.onclose = () => this.#onClosed(session);
  }

  /** Follows list changes of a modern server; a stream that drops is opened again, one that ends is not. */
  async #listen(session: Session): Promise<void> {
    const { client, over } = session;
    const offered = client.getServerCapabilities();
    const filter = {
      ...(offered?.tools?.listChanged ? { toolsListChanged: true as const } : {}),
      ...(offered?.prompts?.listChanged ? { promptsListChanged: true as const } : {}),
      ...(offered?.resources?.listChanged ? { resourcesListChanged: true as const } : {}),
    };
    if (client.getProtocolEra() !== 'modern' || Object.keys(filter).length === 0) return;
    for (let attempt = 0; !over.signal.aborted; attempt++) {
      try {
        const subscription = await client.listen(filter, { signal: over.signal });
        if (attempt > 0) this.#relistSoon(session);
        attempt = 0;
        if ((await subscription.closed) !== 'remote') return;
      } catch (error) {
        if (over.signal.aborted) return;
        this.#log.add(`[parley] The subscription to list changes failed: ${messageOf(error)}`);
      }
      await pause(LISTEN_PAUSES_MS[Math.min(attempt, LISTEN_PAUSES_MS.length - 1)] as number, over.signal);
    }
  }

  #relistSoon(session: Session): void {
    clearTimeout(this.#relistTimer);
    this.#relistTimer = setTimeout(() => {
      readLists(session.client, session.over.signal).then(
        lists => {
          if (this.#session !== session) return;
          this.#lists = lists;
          this.#changed();
          this.#deps.onToolsChanged();
        },
        (error: unknown) => this.#log.add(`[parley] Reading the changed lists failed: ${messageOf(error)}`),
      );
    }, LIST_PAUSE_MS);
  }

  #onClosed(session: Session): void {
    if (this.#session !== session || this.#state !== 'ready') return;
    session.over.abort();
    this.#keepExit(session.transport);
    this.#session = undefined;
    this.#fail(undefined);
    if (this.#ended) return;
    if (Date.now() - this.#since > STABLE_MS) this.#restarts = 0;
    const wait = RESTART_PAUSES_MS[this.#restarts++];
    if (wait !== undefined) this.#restartTimer = setTimeout(() => this.start(), wait);
  }

  #fail(error: unknown): void {
    this.#error = this.#explain(error);
    this.#activity = undefined;
    this.#become('failed');
    this.#deps.onToolsChanged();
  }

  #explain(error: unknown): ErrorInfo {
    if (error instanceof HostError) return toErrorInfo(error);
    if (this.config.type === 'http')
      return toErrorInfo(
        explainHttpFailure(error ?? new Error('the connection was closed'), this.config.url),
      );
    const exit = this.#lastExit;
    const said = this.#log.tail();
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
      message: this.#log.redact(messageOf(error)),
      hint: said ? `Its log ends with:\n${said}` : 'Look at its log, then try Restart.',
    };
  }

  #keepExit(transport: Session['transport']): void {
    this.#lastExit = transport instanceof StdioTransport ? transport.exit : undefined;
  }

  async #endSession(): Promise<void> {
    clearTimeout(this.#restartTimer);
    const session = this.#session;
    this.#session = undefined;
    if (!session) return;
    session.over.abort();
    await session.client.close().catch(() => undefined);
    await session.transport.close();
  }

  /** Aborts when the server stays silent for too long while connecting; stderr output counts as a sign of life. */
  #watchSilence(over: AbortSignal): { signal: AbortSignal; stop(): void } {
    const controller = new AbortController();
    const limit = this.config.type === 'stdio' ? CONNECT_SILENCE_MS : (this.config.timeoutMs ?? CALL_IDLE_MS);
    const arm = () => setTimeout(() => controller.abort(), limit);
    let timer = arm();
    this.#onHeard = () => {
      clearTimeout(timer);
      timer = arm();
    };
    return { signal: AbortSignal.any([controller.signal, over]), stop: () => clearTimeout(timer) };
  }

  #onHeard: () => void = () => undefined;

  #heard(line: string): void {
    if (this.#state !== 'connecting') return;
    this.#onHeard();
    this.#activity = line.trim().slice(0, 300) || this.#activity;
    this.#activityTimer ??= setTimeout(() => {
      this.#activityTimer = undefined;
      this.#changed();
    }, 250);
  }

  #note(text: string): void {
    if (this.#notes.has(text)) return;
    this.#notes.add(text);
    this.#changed();
  }

  #become(state: ServerState): void {
    this.#state = state;
    this.#since = Date.now();
    if (state !== 'failed') this.#error = undefined;
    this.#changed();
  }

  #changed(): void {
    this.#deps.onChange(this.view);
  }
}

function diedDuringProbe(error: unknown): boolean {
  return (
    error instanceof SdkError &&
    error.code === SdkErrorCode.EraNegotiationFailed &&
    /closed/.test(error.message)
  );
}

function verdictOf(client: Client): PriorDiscovery {
  const discover = client.getDiscoverResult();
  return client.getProtocolEra() === 'modern' && discover ? { kind: 'modern', discover } : { kind: 'legacy' };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
