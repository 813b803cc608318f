import { isDeepStrictEqual } from 'node:util';
import type { TaskHandle, ToolResult } from '../../shared/chat.ts';
import { HostError } from '../../shared/errors.ts';
import type { LogEntry, LogLevel } from '../../shared/logs.ts';
import type { ServerConfig, ServerState, ServerView } from '../../shared/servers.ts';
import type { JsonObject } from '../../shared/tools.ts';
import type { Asks } from '../consent/asks.ts';
import type { Ports } from '../ports.ts';
import { Access } from './access.ts';
import { Calls } from './calls.ts';
import type { Eras } from './eras.ts';
import { openWithFallback } from './fallback.ts';
import type { LastKnown } from './lastKnown.ts';
import type { Leases } from './leases.ts';
import { Lifecycle } from './lifecycle.ts';
import { followLists, type ListFollower } from './listChanges.ts';
import { type Lists, NO_LISTS, readLists } from './lists.ts';
import { announceLogLevel } from './logMessages.ts';
import { redactor } from './masking.ts';
import { type Opened, openInEra } from './openInEra.ts';
import { type Operation, perform } from './operation.ts';
import type { Reaper } from './reaper.ts';
import { ResourceWatch } from './resourceWatch.ts';
import { announceRoots } from './roots.ts';
import { type LogFollower, ServerLog } from './serverLog.ts';
import type { Session } from './session.ts';
import { MAX_TEXT, shorten } from './shortTexts.ts';
import { Status } from './status.ts';
import { followTask, TASK_LIMITS } from './taskRun.ts';
import type { Task } from './taskShapes.ts';
import { noteBrokenPromise, toolCall } from './toolCall.ts';
import { Traffic, type TrafficFollower } from './traffic.ts';
import type { CallOptions, ListedTool, Sample, Send } from './types.ts';
import { viewOf } from './view.ts';

export interface ConnectionDeps {
  ports: Ports;
  asks: Asks;
  sample: Sample;
  eras: Eras;
  leases: Leases;
  lastKnown: LastKnown;
  reaper: Reaper;
  send: Send;
  /** The view has changed. */
  onChange(view: ServerView): void;
  /** The tools, or whether they can be called, have changed. */
  onToolsChanged(): void;
  logFollower: LogFollower;
  trafficFollower: TrafficFollower;
  /** How long to wait before each new start after an unexpected end; as usual when not given. */
  restartPausesMs?: readonly number[] | undefined;
  /** A resource that is followed has changed. */
  onResourceUpdated(uri: string): void;
}

/** One server: its life, its last known lists, and the calls to it. */
export class Connection {
  readonly name: string;
  /** The resources that are followed. */
  readonly watch: ResourceWatch;
  /** What went between Parley and the server. */
  readonly traffic: Traffic;
  readonly #access: Access;
  readonly #deps: ConnectionDeps;
  readonly #log: ServerLog;
  readonly #calls = new Calls();
  readonly #status: Status;
  readonly #lifecycle: Lifecycle;
  readonly #gone = new AbortController();
  #config: ServerConfig;
  #lists: Lists;
  #follower: ListFollower | undefined;
  #instructions: string | undefined;
  /** The person is there and waits for the server to let them in. */
  #isSigningIn = false;

  /** @param after what must have ended before this server may start, such as the one it replaces */
  constructor(
    name: string,
    config: ServerConfig,
    deps: ConnectionDeps,
    after: Promise<void> = Promise.resolve(),
  ) {
    this.name = name;
    this.#config = config;
    this.#deps = deps;
    const { tools = [], instructions } = deps.lastKnown.recall(name, config) ?? {};
    this.#lists = { ...NO_LISTS, tools };
    this.#instructions = instructions;
    this.#log = new ServerLog(redactor(config), deps.logFollower);
    this.traffic = new Traffic(text => this.#log.redact(text), deps.trafficFollower);
    this.watch = new ResourceWatch(this.#log, uri => deps.onResourceUpdated(uri));
    this.#access = new Access({
      config,
      server: this.#asking(),
      ports: deps.ports,
      leases: deps.leases,
      log: this.#log,
      send: deps.send,
      asking: () => (this.#calls.areRunning || this.#isSigningIn ? this.#calls.asking() : undefined),
    });
    this.#status = new Status(config.disabled ? 'off' : 'stopped', () => this.#changed());
    const { restartPausesMs, onToolsChanged } = deps;
    this.#lifecycle = new Lifecycle(
      {
        config,
        log: this.#log,
        calls: this.#calls,
        status: this.#status,
        restartPausesMs,
        open: life => this.#open(life),
        onBegun: session => this.#begun(session),
        onReachable: () => onToolsChanged(),
        // Stale lists are better than none.
        refresh: async () => void (await this.#follower?.refresh().catch(() => undefined)),
      },
      after,
    );
  }

  get #session(): Session | undefined {
    return this.#lifecycle.session;
  }

  get config(): ServerConfig {
    return this.#config;
  }

  get state(): ServerState {
    return this.#status.state;
  }

  /** What the server listed, now or in an earlier life; kept while it is away, so that its tools do not flicker. */
  get tools(): readonly ListedTool[] {
    return this.#lists.tools;
  }

  /** Everything it listed, read again where that may be out of date; as last known while it is away. */
  async currentLists(): Promise<Lists> {
    const follower = this.#session && this.#follower;
    // Stale lists are better than none.
    return (await follower?.current().catch(() => undefined)) ?? this.#lists;
  }

  get view(): ServerView {
    return viewOf(this.name, this.config, {
      access: this.#access.view,
      status: this.#status,
      client: this.#session?.client,
      eraReason: this.#lifecycle.eraReason,
      instructions: this.#instructions,
      lists: this.#lists,
      redact: text => this.#log.redact(text),
    });
  }

  /** Hides the secrets that the server was given in a text. */
  redact(text: string): string {
    return this.#log.redact(text);
  }

  get logLevel(): LogLevel {
    return this.#log.level;
  }

  log(): LogEntry[] {
    return this.#log.entries();
  }

  /** From now on the server is asked for messages of this level and above. */
  async setLogLevel(level: LogLevel): Promise<void> {
    this.#log.level = level;
    if (this.#session) await announceLogLevel(this.#session.client, this.#log);
  }

  /** Starts connecting and returns at once; `settled` tells when that is over. Does nothing when switched off. */
  start(): void {
    if (this.config.disabled || this.state === 'off') return;
    this.#lifecycle.start();
  }

  /** Takes over a changed entry where that needs no restart; returns whether it could. */
  adopt(config: ServerConfig): boolean {
    if (!isDeepStrictEqual({ ...config, roots: null }, { ...this.#config, roots: null })) return false;
    if (isDeepStrictEqual(config, this.#config)) return true;
    this.#config = config;
    if (this.#session) announceRoots(this.#session.client, this.#log);
    this.#changed();
    return true;
  }

  /** Ends what is running and starts anew. */
  restart(): void {
    void this.#lifecycle.end();
    this.start();
  }

  /**
   * After a sleep, or in another network: whether a remote server is still there is found out now and not by the next
   * call, and one that was out of reach is tried at once.
   */
  wakeUp(): void {
    if (this.config.type !== 'http') return;
    if (this.#session) void this.#lifecycle.lookAfter(this.#session);
    else if (this.state === 'failed') this.#lifecycle.hurry();
  }

  /** Has the person sign in, and connects anew. @throws HostError when they did not, or it did not work */
  async signIn(): Promise<void> {
    this.#isSigningIn = true;
    try {
      await this.#access.signIn(this.#gone.signal);
      this.restart();
      await this.settled();
    } finally {
      this.#isSigningIn = false;
    }
  }

  /** Forgets the tokens, and connects anew. */
  async signOut(): Promise<void> {
    await this.#access.signOut(this.#gone.signal);
    this.restart();
  }

  /** Forgets the secrets that the entry refers to, and connects anew, which asks for them. */
  forgetSecrets(): void {
    this.#access.forgetSecrets();
    this.restart();
  }

  /** Resolves when the server is not connecting any more. */
  settled(): Promise<void> {
    return this.#lifecycle.settled();
  }

  /** Ends for good; resolves when nothing is left of it. */
  async close(): Promise<void> {
    this.#gone.abort();
    this.watch.close();
    this.#log.close();
    const ended = this.#lifecycle.end();
    if (this.state !== 'off') this.#status.become('stopped');
    await ended;
    this.traffic.close();
  }

  /** @throws HostError for everything but a result: protocol errors, time-outs, a server that is gone, Stop. */
  async callTool(name: string, args: JsonObject, options: CallOptions): Promise<ToolResult> {
    const listed = this.#find(name);
    const relist = async (tool: string) => {
      const session = this.#session;
      if (session) this.#listed(await readLists(session.client, session.over));
      return this.#find(tool);
    };
    const answer = await this.perform(toolCall({ name, listed, args, options, relist }));
    const result = 'task' in answer ? await this.followTask(answer.task, options) : answer;
    noteBrokenPromise(listed, result, { log: this.#log, note: text => this.#status.note(text) });
    return result;
  }

  /** Sends a request in the one way that all of them take. @throws HostError as `callTool` does */
  async perform<T>(operation: Operation<T>): Promise<T> {
    const session = this.#session;
    if (this.state !== 'ready' || !session) {
      throw new HostError(
        'server.offline',
        `The server “${this.name}” is not connected (${this.state}).`,
        'Look at it on the Servers screen.',
      );
    }
    return perform(session, operation, {
      config: this.config,
      server: this.#asking(),
      calls: this.#calls,
      log: this.#log,
      renew: () => this.#lifecycle.renew(session),
      doubt: () => this.#lifecycle.doubt(session),
    });
  }

  /** Waits for a task of this server, also of an earlier life of Parley. @throws HostError for everything but a result */
  followTask(task: Task | TaskHandle, options: CallOptions): Promise<ToolResult> {
    const deps = {
      server: this.#asking(),
      log: this.#log,
      roots: () => this.#config.roots ?? [],
      session: () => this.#session,
      gone: this.#gone.signal,
    };
    return this.#calls.run(TASK_LIMITS, options.conversationId, () => followTask(task, options, deps));
  }

  #asking() {
    const { asks, ports, sample } = this.#deps;
    return {
      name: this.name,
      host: hostOf(this.#config),
      asks,
      sample,
      openExternal: (url: string) => ports.openExternal(url),
    };
  }

  async #open(life: AbortSignal): Promise<Opened> {
    const { ports, reaper, eras } = this.#deps;
    const { config, send } = await this.#access.open(life);
    const deps = {
      config,
      server: this.#asking(),
      ports,
      reaper,
      log: this.#log,
      traffic: this.traffic,
      calls: this.#calls,
      send,
      roots: () => this.#config.roots ?? [],
      onStderr: (line: string) => this.#status.hear(this.#log.add(line)),
      onNoise: (line: string) => {
        this.#log.add(line, 'stdout');
        this.#status.note('It prints text to stdout that is not protocol; that text is in its log.');
      },
      onUnreadable: (why: string) => {
        this.#log.note(`A message was left out: ${why}.`);
        this.#status.note('It sent a message that is too large to be read; what begins it is in its log.');
      },
      doubt: () => this.#session && this.#lifecycle.doubt(this.#session),
    };
    return openInEra(config, eras, life, prior => openWithFallback(prior, deps, life));
  }

  #begun(session: Session): void {
    this.#lists = session.lists;
    const said = session.client.getInstructions();
    this.#instructions = said && shorten(said, MAX_TEXT.description);
    this.#remember();
    this.#follower = followLists(session, this.#log, lists => this.#listed(lists));
    this.watch.attach(session);
    void announceLogLevel(session.client, this.#log);
  }

  #listed(lists: Lists): void {
    this.#lists = lists;
    this.#remember();
    this.#changed();
    this.#deps.onToolsChanged();
  }

  #remember(): void {
    const told = { tools: this.#lists.tools, instructions: this.#instructions };
    this.#deps.lastKnown.remember(this.name, this.#config, told);
  }

  #find(tool: string): ListedTool | undefined {
    return this.#lists.tools.find(({ name }) => name === tool);
  }

  #changed(): void {
    this.#deps.onChange(this.view);
  }
}

function hostOf(config: ServerConfig): string | undefined {
  return config.type === 'http' && URL.canParse(config.url) ? new URL(config.url).hostname : undefined;
}
