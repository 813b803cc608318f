import { once } from 'node:events';
import type { EraReason, ServerConfig } from '../../shared/servers.ts';
import type { Calls } from './calls.ts';
import { isOutage, isTimeout, needsPerson } from './failures.ts';
import { readLists } from './lists.ts';
import type { Opened } from './openInEra.ts';
import { isForgotten } from './operation.ts';
import { Restarts } from './restarts.ts';
import type { ServerLog } from './serverLog.ts';
import type { Session } from './session.ts';
import type { Status } from './status.ts';
import { explainFailure } from './view.ts';

const CHECK_MS = 10_000;

export interface LifecycleDeps {
  config: ServerConfig;
  log: ServerLog;
  calls: Calls;
  status: Status;
  /** How long to wait before each new start after an unexpected end; as usual when not given. */
  restartPausesMs: readonly number[] | undefined;
  /** Starts or reaches the server, until `life` is aborted. */
  open(life: AbortSignal): Promise<Opened>;
  /** A session has begun, in place of the one before if there was one. */
  onBegun(session: Session): void;
  /** The server can be called now, or not any more. */
  onReachable(): void;
  /** What the server told while it was not heard is to be read again. */
  refresh(): Promise<void>;
}

/**
 * The lives of one server, one at a time: each begins with an attempt to reach it and ends with its session. An
 * unexpected end is followed by a new start where that can help; a session that the server has forgotten is replaced.
 */
export class Lifecycle {
  readonly #deps: LifecycleDeps;
  readonly #restarts: Restarts;
  #session: Session | undefined;
  #eraReason: EraReason | undefined;
  #renewal: Promise<Session | undefined> | undefined;
  /** Aborted when the present attempt, or the session that came of it, must end. */
  #life = new AbortController();
  #attempt: Promise<void> = Promise.resolve();
  /** The end of all earlier lives: the next one begins after it, so that a server never runs twice. */
  #ending: Promise<unknown>;

  /** @param after what must have ended before the first life may begin */
  constructor(deps: LifecycleDeps, after: Promise<void>) {
    this.#deps = deps;
    this.#restarts = new Restarts(deps.restartPausesMs);
    this.#ending = after;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  /** Why the session speaks the era that it does. */
  get eraReason(): EraReason | undefined {
    return this.#session && this.#eraReason;
  }

  /** Starts connecting and returns at once; `settled` tells when that is over. */
  start(): void {
    this.#restarts.begin();
    this.#begin();
  }

  /** Tries at once what would have been tried later. */
  hurry(): void {
    this.#restarts.cancel();
    this.#begin();
  }

  /** Ends the present life; nothing of it is heard any more. Resolves when nothing is left of it. */
  async end(): Promise<void> {
    this.#restarts.cancel();
    this.#life.abort();
    const session = this.#session;
    this.#session = undefined;
    this.#ending = Promise.all([this.#ending, this.#attempt, session?.close()]);
    await this.#ending;
  }

  /** Resolves when no attempt is going on any more. */
  async settled(): Promise<void> {
    let seen: Promise<void>;
    do {
      seen = this.#attempt;
      await seen;
    } while (seen !== this.#attempt);
  }

  /** A new session in place of one that the server has forgotten: one for all the calls that find out. */
  renew(forgotten: Session): Promise<Session | undefined> {
    if (this.#session !== forgotten) return Promise.resolve(this.#session);
    this.#renewal ??= this.#replace(forgotten).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  /** After a call could not be delivered: is the server still there? One that is only slow is. */
  doubt(session: Session): void {
    void this.#check(session, { isPatient: true });
  }

  /** After a time in which nothing that it told was heard: is it still there, and what has changed? */
  async lookAfter(session: Session): Promise<void> {
    session.listening.cut();
    await this.#check(session, { isPatient: false });
    if (this.#session === session) await this.#deps.refresh();
  }

  #begin(): void {
    this.#life = new AbortController();
    this.#deps.status.become('connecting');
    this.#attempt = this.#connect(this.#life.signal, this.#ending);
  }

  async #connect(life: AbortSignal, before: Promise<unknown>): Promise<void> {
    await before;
    if (life.aborted) return;
    try {
      const opened = await this.#open(life);
      if (opened) this.#live(opened);
    } catch (error) {
      if (!life.aborted) this.#fail(error);
    }
  }

  /** Undefined when nobody wants the session any more. */
  async #open(life: AbortSignal): Promise<Opened | undefined> {
    const opened = await this.#deps.open(life);
    if (!life.aborted) return opened;
    await opened.session.close();
    return undefined;
  }

  #live({ session, reason }: Opened): void {
    this.#session = session;
    this.#eraReason = reason;
    this.#deps.onBegun(session);
    this.#restarts.succeeded();
    this.#deps.status.become('ready');
    session.over.addEventListener('abort', () => this.#lost(session), { once: true });
    this.#deps.onReachable();
  }

  /** The session ended, and not because we wanted it to. */
  #lost(session: Session, error?: unknown): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#ending = Promise.all([this.#ending, session.close()]);
    this.#fail(error, session);
  }

  #fail(error: unknown, session?: Session): void {
    const { config, log, status } = this.#deps;
    const isAway = config.type === 'http' && isOutage(error);
    const wait = needsPerson(error) ? undefined : this.#restarts.failed(() => this.#begin(), { isAway });
    status.become('failed', explainFailure(error, { config, log, exit: session?.exit, wait }));
    this.#deps.onReachable();
  }

  async #replace(forgotten: Session): Promise<Session | undefined> {
    const life = this.#life.signal;
    const others = this.#deps.calls.drained();
    try {
      const opened = await this.#open(life);
      if (!opened) return undefined;
      this.#live(opened);
      // Calls that it still answers are let finish, unless everything ends.
      const unused = Promise.race([others, once(life, 'abort')]);
      this.#ending = Promise.all([this.#ending, unused.then(() => forgotten.close())]);
      return opened.session;
    } catch (error) {
      if (!life.aborted) this.#lost(forgotten, error);
      return undefined;
    }
  }

  async #check(session: Session, { isPatient }: { isPatient: boolean }): Promise<void> {
    try {
      const signal = AbortSignal.any([session.over, AbortSignal.timeout(CHECK_MS)]);
      // The modern era has no ping any more.
      if (session.client.getProtocolEra() === 'modern') await readLists(session.client, signal);
      else await session.client.ping({ signal });
    } catch (error) {
      if (isForgotten(error, session)) await this.renew(session);
      else if (isOutage(error) && !(isPatient && isTimeout(error))) this.#lost(session, error);
    }
  }
}
