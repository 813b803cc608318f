/** What the host needs from the outside; Electron, the terminal and the tests each supply their own. */

/** How secrets rest: encrypted by the system, in plain text by the person's consent, or in memory for this session. */
export type SecretStorage = 'encrypted' | 'plain' | 'session';

export interface Secrets {
  /** Whether this machine can encrypt at rest. */
  readonly encryption: boolean;
  get(name: string): { value: string; storage: SecretStorage } | undefined;
  /** Stores and says how. Without encryption, plain text is written only when `acceptPlain`. */
  set(name: string, value: string, options: { acceptPlain: boolean }): SecretStorage;
  delete(name: string): void;
}

/** A program that comes with Parley and is named in servers.json by a well-known word instead of a path. */
export interface BundledCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
}

export interface Ports {
  /** Absolute; created when missing. Everything that Parley keeps is below it. */
  dataDir: string;
  /** Another servers file instead of `servers.json` in the data directory (absolute path). */
  serversFile?: string;
  /** A model to use instead of the one in the settings, for this process only (`guide` or a model id). */
  model?: string;
  secrets: Secrets;
  /** The environment of this process. Servers never get it whole. */
  env: Readonly<Record<string, string | undefined>>;
  /** `env` is that of the person's shell already, as in a terminal: the login shell need not be asked for it. */
  envIsFromShell?: boolean;
  bundledCommands: Readonly<Record<string, BundledCommand>>;
  /**
   * The proxies that the system has for a URL, in the notation of proxy configuration scripts: `PROXY a:8080; DIRECT`.
   * Without it those of the environment must do, which come first in any case.
   */
  systemProxy?(url: string): Promise<string>;
  /** Opens a checked http(s) URL outside Parley; only called after the person agreed. */
  openExternal(url: string): Promise<void>;
  /** Servers are not started before: what a person waits for comes first. */
  serversMayStart?: Promise<void>;
  /** Parley's own version, told to servers. */
  version: string;
}
