import { isDeepStrictEqual } from 'node:util';
import { type ErrorInfo, HostError } from '../../shared/errors.ts';
import type { LogEntry, LogLevel } from '../../shared/logs.ts';
import type { ServerConfig, ServerView } from '../../shared/servers.ts';
import type { TrafficEntry } from '../../shared/traffic.ts';
import type { Asks } from '../consent/asks.ts';
import type { Db } from '../database.ts';
import type { Emit } from '../events.ts';
import type { Ports } from '../ports.ts';
import { forgetCredentials, moveCredentials } from './auth/credentials.ts';
import type { ServersConfig } from './config.ts';
import { Connection } from './connection.ts';
import { Eras } from './eras.ts';
import { LastKnown } from './lastKnown.ts';
import { Leases } from './leases.ts';
import { understandPaste } from './paste.ts';
import { Reaper } from './reaper.ts';
import { forgetSecrets, moveSecrets } from './references.ts';
import type { Sample, Send } from './types.ts';
import { viewOfBadEntry } from './view.ts';

export interface ClientManagerDeps {
  ports: Ports;
  send: Send;
  config: ServersConfig;
  asks: Asks;
  sample: Sample;
  db: Db;
  emit: Emit;
  /** Whether the messages between Parley and the servers are recorded; asked anew for each. */
  recordsTraffic(): boolean;
  /** How long to wait before each new start of a server that ended; as usual when not given. */
  restartPausesMs?: readonly number[] | undefined;
}

/** Keeps the set of connections equal to the configured set: one connection, and so one client, per server. */
export class ClientManager {
  readonly #deps: ClientManagerDeps;
  readonly #eras: Eras;
  readonly #leases: Leases;
  readonly #lastKnown: LastKnown;
  readonly #reaper = new Reaper();
  readonly #connections = new Map<string, Connection>();
  readonly #listeners = new Set<() => void>();
  /** The logs that somebody looks at. */
  readonly #followedLogs = new Set<string>();
  /** The servers whose messages somebody looks at. */
  readonly #followedTraffic = new Set<string>();
  /** Connections that are no longer configured and not yet gone. */
  readonly #ending = new Set<Promise<void>>();
  #bad: ReadonlyMap<string, ErrorInfo> = new Map();
  #closed = false;

  constructor(deps: ClientManagerDeps) {
    this.#deps = deps;
    this.#eras = new Eras(deps.db);
    this.#leases = new Leases(deps.db);
    this.#lastKnown = new LastKnown(deps.db);
  }

  /** Begins to connect every server at once and returns; nothing waits for a slow one. */
  async start(): Promise<void> {
    await this.#deps.config.start(() => this.#applyConfig());
    this.#applyConfig();
  }

  /** Resolves when no server is connecting any more. */
  async settled(): Promise<void> {
    await Promise.all(this.connections().map(connection => connection.settled()));
  }

  /** Every server in the order of the file; a bad entry is a failed one. */
  views(): ServerView[] {
    return [...this.#deps.config.entries.keys()].flatMap(name => {
      const bad = this.#bad.get(name);
      if (bad) return [viewOfBadEntry(name, bad)];
      const connection = this.#connections.get(name);
      return connection ? [connection.view] : [];
    });
  }

  connections(): Connection[] {
    return [...this.#deps.config.entries.keys()].flatMap(name => this.#connections.get(name) ?? []);
  }

  connection(name: string): Connection | undefined {
    return this.#connections.get(name);
  }

  /** Called when any server's tools or readiness changed. Returns the function that ends it. */
  onToolsChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @throws HostError when the name is taken or servers.json cannot be changed, as the methods below do */
  async add(name: string, config: ServerConfig): Promise<void> {
    await this.#deps.config.add(new Map([[name, config]]));
    this.#applyConfig();
  }

  /** KEPT_VALUE keeps the file's value. Rules and switches of a renamed server are the host's. */
  async update(name: string, config: ServerConfig, newName = name): Promise<void> {
    this.#entry(name);
    await this.#deps.config.set(name, config, { newName });
    if (newName !== name) {
      const { secrets } = this.#deps.ports;
      moveCredentials(secrets, name, newName);
      // As the file has it: what is masked in `config` may refer to a secret too.
      moveSecrets(this.#usable(newName), name, newName, secrets);
    }
    this.#applyConfig();
  }

  /** What was kept for it, such as tokens, goes too. */
  async remove(name: string): Promise<void> {
    const entry = this.#entry(name);
    await this.#deps.config.remove(name);
    const { secrets } = this.#deps.ports;
    forgetCredentials(secrets, name);
    if (!('code' in entry)) forgetSecrets(entry, name, secrets);
    this.#applyConfig();
    this.#lastKnown.forget(name);
  }

  async setEnabled(name: string, enabled: boolean): Promise<void> {
    const { disabled: _was, ...rest } = this.#usable(name);
    await this.#deps.config.set(name, enabled ? rest : { ...rest, disabled: true });
    this.#applyConfig();
  }

  /** Begins anew, whatever state it is in, and returns at once. */
  async restart(name: string): Promise<void> {
    this.#usable(name);
    this.#connections.get(name)?.restart();
  }

  /** After a sleep of the machine, or in another network: looks whether the remote servers are still there. */
  wakeUp(): void {
    for (const connection of this.connections()) connection.wakeUp();
  }

  /** @throws HostError when the person did not sign in, or it did not work */
  async signIn(name: string): Promise<void> {
    this.#usable(name);
    await this.#connections.get(name)?.signIn();
  }

  async signOut(name: string): Promise<void> {
    this.#usable(name);
    await this.#connections.get(name)?.signOut();
  }

  /** Forgets the secrets that the entry of a server refers to; they are asked for anew. */
  async forgetSecrets(name: string): Promise<void> {
    this.#usable(name);
    this.#connections.get(name)?.forgetSecrets();
  }

  /** What a server wrote and sent to its log, oldest first: only the texts. */
  log(name: string): string[] {
    return this.logEntries(name).map(({ text }) => text);
  }

  logEntries(name: string): LogEntry[] {
    return this.#connections.get(name)?.log() ?? [];
  }

  /** The least level of the messages that the server is asked for. */
  logLevel(name: string): LogLevel {
    return this.#connections.get(name)?.logLevel ?? 'info';
  }

  /** Kept until the entry changes or Parley ends. */
  async setLogLevel(name: string, level: LogLevel): Promise<void> {
    this.#usable(name);
    await this.#connections.get(name)?.setLogLevel(level);
  }

  /** From now on, or not any more, `server.logged` tells of what is new in this log. */
  followLog(name: string, follow: boolean): void {
    if (follow) this.#followedLogs.add(name);
    else this.#followedLogs.delete(name);
  }

  /** The messages between Parley and the server, oldest first. */
  traffic(name: string): TrafficEntry[] {
    return this.#connections.get(name)?.traffic.entries() ?? [];
  }

  /** From now on, or not any more, `server.traffic` tells of new messages of this server. */
  followTraffic(name: string, follow: boolean): void {
    if (follow) this.#followedTraffic.add(name);
    else this.#followedTraffic.delete(name);
  }

  clearTraffic(name: string): void {
    this.#connections.get(name)?.traffic.clear();
  }

  /** Adds every server of a pasted configuration; nothing is added when one of them cannot be. Returns the names. */
  async importJson(text: string): Promise<string[]> {
    const servers = understandPaste(text);
    await this.#deps.config.add(servers);
    this.#applyConfig();
    return [...servers.keys()];
  }

  /** Ends every server, all at once; resolves when no process of theirs is left. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#connections.values()].map(connection => connection.close()));
    await Promise.all(this.#ending);
    await this.#reaper.close();
  }

  #entry(name: string): ServerConfig | ErrorInfo {
    const entry = this.#deps.config.entries.get(name);
    if (!entry)
      throw new HostError(
        'server.unknown',
        `There is no server called “${name}”.`,
        'See the names on the Servers screen.',
      );
    return entry;
  }

  /** @throws HostError that says what is wrong with a bad entry */
  #usable(name: string): ServerConfig {
    const entry = this.#entry(name);
    if ('code' in entry) throw new HostError(entry.code, entry.message, entry.hint);
    return entry;
  }

  /** Ends what is no longer configured, starts what is new, and leaves everything unchanged alone. */
  #applyConfig(): void {
    if (this.#closed) return;
    const { config, emit } = this.#deps;
    emit('serversFile.changed', { path: config.path, ...(config.error ? { error: config.error } : {}) });
    const replaced = new Map<string, Promise<void>>();
    for (const [name, connection] of this.#connections) {
      const entry = config.entries.get(name);
      if (entry && !('code' in entry) && connection.adopt(entry)) continue;
      this.#connections.delete(name);
      replaced.set(name, this.#endLater(connection));
      if (!config.entries.has(name)) emit('server.removed', { name });
    }
    const bad = new Map<string, ErrorInfo>();
    for (const [name, entry] of config.entries) {
      if ('code' in entry) {
        bad.set(name, entry);
        if (!isDeepStrictEqual(this.#bad.get(name), entry))
          emit('server.changed', viewOfBadEntry(name, entry));
      } else if (!this.#connections.has(name)) {
        this.#connect(name, entry, replaced.get(name) ?? this.#deps.ports.serversMayStart);
      }
    }
    for (const name of this.#bad.keys()) if (!config.entries.has(name)) emit('server.removed', { name });
    this.#bad = bad;
    this.#toolsChanged();
  }

  #endLater(connection: Connection): Promise<void> {
    const ending = connection.close().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    return ending;
  }

  #connect(name: string, config: ServerConfig, after: Promise<void> | undefined): void {
    const { ports, send, asks, sample, emit, recordsTraffic, restartPausesMs } = this.#deps;
    // A replaced connection may still be ending; only the current one speaks for the name.
    const whileCurrent =
      <Args extends unknown[]>(tell: (...args: Args) => void) =>
      (...args: Args): void => {
        if (this.#connections.get(name) === connection) tell(...args);
      };
    const connection: Connection = new Connection(
      name,
      config,
      {
        ports,
        asks,
        sample,
        eras: this.#eras,
        leases: this.#leases,
        lastKnown: this.#lastKnown,
        reaper: this.#reaper,
        send,
        restartPausesMs,
        onChange: whileCurrent(view => emit('server.changed', view)),
        logFollower: {
          isWanted: () => this.#followedLogs.has(name),
          hear: whileCurrent(entries => emit('server.logged', { name, entries })),
        },
        trafficFollower: {
          isRecording: recordsTraffic,
          isWanted: () => this.#followedTraffic.has(name),
          hear: whileCurrent(entries => emit('server.traffic', { name, entries })),
        },
        onResourceUpdated: whileCurrent(uri => emit('resource.updated', { server: name, uri })),
        onToolsChanged: whileCurrent(() => this.#toolsChanged()),
      },
      after,
    );
    this.#connections.set(name, connection);
    emit('server.changed', connection.view);
    connection.start();
  }

  #toolsChanged(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
