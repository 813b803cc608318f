import { isDeepStrictEqual } from 'node:util';
import { parse } from 'jsonc-parser';
import { type ErrorInfo, HostError } from '../../shared/errors.ts';
import { ServerConfig, ServerName, type ServerView } from '../../shared/servers.ts';
import type { Asks } from '../consent/asks.ts';
import type { Db } from '../database.ts';
import type { Emit } from '../events.ts';
import type { Ports } from '../ports.ts';
import type { ServersConfig } from './config.ts';
import { Connection } from './connection.ts';
import { understandEntry } from './entries.ts';
import { Eras } from './eras.ts';
import { unmaskConfig } from './masking.ts';
import { Reaper } from './reaper.ts';

/** Keeps the set of connections equal to the configured set: one connection, and so one client, per server. */
export class ClientManager {
  readonly #deps: { ports: Ports; config: ServersConfig; asks: Asks; emit: Emit };
  readonly #eras: Eras;
  readonly #reaper = new Reaper();
  readonly #connections = new Map<string, Connection>();
  readonly #listeners = new Set<() => void>();
  #bad: ReadonlyMap<string, ErrorInfo> = new Map();
  #closed = false;

  constructor(deps: { ports: Ports; config: ServersConfig; asks: Asks; db: Db; emit: Emit }) {
    this.#deps = deps;
    this.#eras = new Eras(deps.db);
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
      if (bad) return [badView(name, bad)];
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

  async add(name: string, config: ServerConfig): Promise<void> {
    if (this.#deps.config.entries.has(name)) {
      throw new HostError(
        'config.nameTaken',
        `There is already a server called “${name}”.`,
        'Choose another name.',
      );
    }
    await this.#deps.config.set(name, unmaskConfig(config, undefined));
    this.#applyConfig();
  }

  async update(name: string, config: ServerConfig, newName = name): Promise<void> {
    const old = this.#entry(name);
    const kept = 'code' in old ? undefined : old;
    await this.#deps.config.set(name, unmaskConfig(config, kept), { newName });
    this.#applyConfig();
  }

  async remove(name: string): Promise<void> {
    this.#entry(name);
    await this.#deps.config.remove(name);
    this.#applyConfig();
  }

  async setEnabled(name: string, enabled: boolean): Promise<void> {
    const entry = this.#entry(name);
    if ('code' in entry) throw new HostError(entry.code, entry.message, entry.hint);
    const { disabled: _was, ...rest } = entry;
    await this.#deps.config.set(name, enabled ? rest : { ...rest, disabled: true });
    this.#applyConfig();
  }

  async restart(name: string): Promise<void> {
    this.#entry(name);
    await this.#connections.get(name)?.restart();
  }

  /** What a server wrote beside the protocol, oldest first. */
  log(name: string): string[] {
    return this.#connections.get(name)?.log() ?? [];
  }

  /** Adds every server of a pasted configuration; nothing is added when one of them cannot be. Returns the names. */
  async importJson(text: string): Promise<string[]> {
    const servers = understandPaste(text);
    for (const name of servers.keys()) {
      if (this.#deps.config.entries.has(name)) {
        throw new HostError(
          'config.nameTaken',
          `There is already a server called “${name}”.`,
          'Rename it in the pasted text.',
        );
      }
    }
    for (const [name, config] of servers) await this.#deps.config.set(name, config);
    this.#applyConfig();
    return [...servers.keys()];
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#connections.values()].map(connection => connection.close()));
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

  /** Ends what is no longer configured, starts what is new, and leaves everything unchanged alone. */
  #applyConfig(): void {
    if (this.#closed) return;
    const { config, emit } = this.#deps;
    emit('serversFile.changed', { path: config.path, ...(config.error ? { error: config.error } : {}) });
    for (const [name, connection] of this.#connections) {
      if (isDeepStrictEqual(config.entries.get(name), connection.config)) continue;
      this.#connections.delete(name);
      void connection.close();
      if (!config.entries.has(name)) emit('server.removed', { name });
    }
    const bad = new Map<string, ErrorInfo>();
    for (const [name, entry] of config.entries) {
      if ('code' in entry) {
        bad.set(name, entry);
        emit('server.changed', badView(name, entry));
      } else if (!this.#connections.has(name)) {
        this.#connect(name, entry);
      }
    }
    for (const name of this.#bad.keys()) if (!config.entries.has(name)) emit('server.removed', { name });
    this.#bad = bad;
    this.#toolsChanged();
  }

  #connect(name: string, config: ServerConfig): void {
    const { ports, asks, emit } = this.#deps;
    const connection: Connection = new Connection(name, config, {
      ports,
      asks,
      eras: this.#eras,
      reaper: this.#reaper,
      // A replaced connection may still be ending; only the current one speaks for the name.
      onChange: view => this.#connections.get(name) === connection && emit('server.changed', view),
      onToolsChanged: () => this.#toolsChanged(),
    });
    this.#connections.set(name, connection);
    emit('server.changed', connection.view);
    connection.start();
  }

  #toolsChanged(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function badView(name: string, error: ErrorInfo): ServerView {
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

/** `{"mcpServers": …}`, `{"servers": …}` or the bare map of names. @throws HostError that says what is missing. */
function understandPaste(text: string): Map<string, ServerConfig> {
  const root: unknown = parse(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
  const record =
    typeof root === 'object' && root !== null && !Array.isArray(root)
      ? (root as Record<string, unknown>)
      : undefined;
  const map = record?.mcpServers ?? record?.servers ?? record;
  if (typeof map !== 'object' || map === null || Object.keys(map).length === 0) {
    throw new HostError(
      'config.paste',
      'There is no server in this text.',
      'Paste JSON such as {"mcpServers": {"name": {"command": "…"}}}.',
    );
  }
  if ('command' in map || 'url' in map) {
    throw new HostError('config.paste', 'This entry has no name.', 'Put it under a name: {"name": {…}}.');
  }
  const servers = new Map<string, ServerConfig>();
  for (const [name, raw] of Object.entries(map)) {
    if (!ServerName.safeParse(name).success)
      throw new HostError('config.paste', `“${name}” cannot be the name of a server.`);
    const entry = understandEntry(raw);
    if ('code' in entry) throw new HostError('config.paste', `“${name}”: ${entry.message}`, entry.hint);
    servers.set(name, ServerConfig.parse(entry));
  }
  return servers;
}
