import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { TaskHandle, ToolResult } from '../../shared/chat.ts';
import { HostError } from '../../shared/errors.ts';
import type { LogEntry, LogLevel } from '../../shared/logs.ts';
import type { EraReason, ServerConfig, ServerState, ServerView } from '../../shared/servers.ts';
import type { JsonObject } from '../../shared/tools.ts';
import type { Asks } from '../consent/asks.ts';
import type { Ports } from '../ports.ts';
import { Access } from './access.ts';
import { Calls } from './calls.ts';
import type { Eras } from './eras.ts';
import { isOutage, isTimeout, needsPerson } from './failures.ts';
import { openWithFallback } from './fallback.ts';
import type { LastKnown } from './lastKnown.ts';
import type { Leases } from './leases.ts';
import { followLists, type ListFollower } from './listChanges.ts';
import { type Lists, NO_LISTS, readLists } from './lists.ts';
import { announceLogLevel } from './logMessages.ts';
import { redactor } from './masking.ts';
import { openInEra } from './openInEra.ts';
import { isForgotten, type Operation, perform } from './operation.ts';
import type { Reaper } from './reaper.ts';
import { ResourceWatch } from './resourceWatch.ts';
import { Restarts } from './restarts.ts';
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
import { explainFailure, viewOf } from './view.ts';

const CHECK_MS = 10_000;

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

/** One server: its state machine, its one session at a time, its last known lists, and the calls to it. */
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
  readonly #restarts: Restarts;
  readonly #status: Status;
  readonly #gone = new AbortController();
  #config: ServerConfig;
  #lists: Lists;
  #follower: ListFollower | undefined;
  #instructions: string | undefined;
  #session: Session | undefined;
  /** Why the session speaks the era that it does. */
  #eraReason: EraReason | undefined;
  /** The person is there and waits for the server to let them in. */
  #isSigningIn = false;
  #renewal: Promise<Session | undefined> | undefined;
  /** Aborted when the present attempt, or the session that came of it, must end. */
  #life = new AbortController();
  #attempt: Promise<void> = Promise.resolve();
  /** The end of all earlier lives: the next one begins after it, so that a server never runs twice. */
  #ending: Promise<unknown>;

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
    this.#restarts = new Restarts(deps.restartPausesMs);
    this.#ending = after;
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
      eraReason: this.#eraReason,
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
    this.#restarts.begin();
    this.#begin();
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
    this.#end();
    this.start();
  }

  /**
   * After a sleep, or in another network: whether a remote server is still there is found out now and not by the next
   * call, and one that was out of reach is tried at once.
   */
  wakeUp(): void {
    if (this.config.type !== 'http') return;
    if (this.#session) void this.#lookAfter(this.#session);
    else if (this.state === 'failed') {
      this.#restarts.cancel();
      this.#begin();
    }
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
  async settled(): Promise<void> {
    let seen: Promise<void>;
    do {
      seen = this.#attempt;
      await seen;
    } while (seen !== this.#attempt);
  }

  /** Ends for good; resolves when nothing is left of it. */
  async close(): Promise<void> {
    this.#gone.abort();
    this.watch.close();
    this.#log.close();
    this.#end();
    if (this.state !== 'off') this.#status.become('stopped');
    await this.#ending;
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
      renew: () => this.#renew(session),
      doubt: () => void this.#check(session),
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

  #begin(): void {
    this.#life = new AbortController();
    this.#status.become('connecting');
    this.#attempt = this.#connect(this.#life.signal, this.#ending);
  }

  /** Ends the present life. The promise of its end is in `#ending`; nothing of it is heard any more. */
  #end(): void {
    this.#restarts.cancel();
    this.#life.abort();
    const session = this.#session;
    this.#session = undefined;
    this.#ending = Promise.all([this.#ending, this.#attempt, session?.close()]);
  }

  async #connect(life: AbortSignal, before: Promise<unknown>): Promise<void> {
    await before;
    if (life.aborted) return;
    try {
      const session = await this.#open(life);
      if (session) this.#live(session);
    } catch (error) {
      if (!life.aborted) this.#fail(error);
    }
  }

  /** Undefined when nobody wants the session any more. */
  async #open(life: AbortSignal): Promise<Session | undefined> {
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
      doubt: () => this.#session && void this.#check(this.#session),
    };
    const opened = await openInEra(config, eras, life, prior => openWithFallback(prior, deps, life));
    if (life.aborted) {
      await opened.session.close();
      return undefined;
    }
    this.#eraReason = opened.reason;
    return opened.session;
  }

  #live(session: Session): void {
    this.#session = session;
    this.#lists = session.lists;
    const said = session.client.getInstructions();
    this.#instructions = said && shorten(said, MAX_TEXT.description);
    this.#remember();
    this.#restarts.succeeded();
    this.#status.become('ready');
    this.#deps.onToolsChanged();
    session.over.addEventListener('abort', () => this.#lost(session), { once: true });
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

  /** The session ended, and not because we wanted it to. */
  #lost(session: Session, error?: unknown): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#ending = Promise.all([this.#ending, session.close()]);
    this.#fail(error, session);
  }

  #fail(error: unknown, session?: Session): void {
    const isAway = this.config.type === 'http' && isOutage(error);
    const wait = needsPerson(error) ? undefined : this.#restarts.failed(() => this.#begin(), { isAway });
    const about = { config: this.config, log: this.#log, exit: session?.exit, wait };
    this.#status.become('failed', explainFailure(error, about));
    this.#deps.onToolsChanged();
  }

  /** A new session in place of one that the server has forgotten: one for all the calls that find out. */
  #renew(forgotten: Session): Promise<Session | undefined> {
    if (this.#session !== forgotten) return Promise.resolve(this.#session);
    this.#renewal ??= this.#replace(forgotten).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #replace(forgotten: Session): Promise<Session | undefined> {
    const life = this.#life.signal;
    const others = this.#calls.drained();
    try {
      const session = await this.#open(life);
      if (!session) return undefined;
      this.#live(session);
      // Calls that it still answers are let finish, unless everything ends.
      const unused = Promise.race([others, once(life, 'abort')]);
      this.#ending = Promise.all([this.#ending, unused.then(() => forgotten.close())]);
      return session;
    } catch (error) {
      if (!life.aborted) this.#lost(forgotten, error);
      return undefined;
    }
  }

  /** Nothing that it told meanwhile was heard. */
  async #lookAfter(session: Session): Promise<void> {
    session.listening.cut();
    await this.#check(session, { isPatient: false });
    if (this.#session !== session) return;
    // Stale lists are better than none.
    await this.#follower?.refresh().catch(() => undefined);
  }

  /** After a call could not be delivered: is the server still there? One that is only slow is, to the patient. */
  async #check(session: Session, { isPatient } = { isPatient: true }): Promise<void> {
    try {
      const signal = AbortSignal.any([session.over, AbortSignal.timeout(CHECK_MS)]);
      // The modern era has no ping any more.
      if (session.client.getProtocolEra() === 'modern') await readLists(session.client, signal);
      else await session.client.ping({ signal });
    } catch (error) {
      if (isForgotten(error, session)) await this.#renew(session);
      else if (isOutage(error) && !(isPatient && isTimeout(error))) this.#lost(session, error);
    }
  }

  #changed(): void {
    this.#deps.onChange(this.view);
  }
}

function hostOf(config: ServerConfig): string | undefined {
  return config.type === 'http' && URL.canParse(config.url) ? new URL(config.url).hostname : undefined;
}
