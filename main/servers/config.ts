import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import writeFileAtomic from 'write-file-atomic';
import { type ErrorInfo, HostError } from '../../shared/errors.ts';
import type { ServerConfig } from '../../shared/servers.ts';
import { messageOf } from './failures.ts';
import {
  type Entries,
  isListedTwice,
  readServers,
  removeServer,
  renameServer,
  setServer,
} from './serversJson.ts';

const WATCH_PAUSE_MS = 100;

/** servers.json: read tolerantly, edited in place so that comments and unknown keys stay, watched for edits. */
export class ServersConfig {
  readonly path: string;
  #text: string | undefined;
  #error: ErrorInfo | undefined;
  #entries: Entries = new Map();
  #onChange: () => void = () => undefined;
  #watcher: FSWatcher | undefined;
  /** Reads and writes, one after the other. */
  #work: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.path = resolve(path);
  }

  /** Why the file as a whole cannot be used; the entries are then the last good ones. */
  get error(): ErrorInfo | undefined {
    return this.#error;
  }

  /** Good entries, and bad ones with the reason, by name in the order of the file. */
  get entries(): Entries {
    return this.#entries;
  }

  /** Reads the file (a missing one is an empty one) and tells about every later change of its content. */
  async start(onChange: () => void): Promise<void> {
    this.#onChange = onChange;
    await this.#reload();
    await this.#watch(false);
  }

  /**
   * Adds or replaces one entry; with `newName` it is renamed. KEPT_VALUE keeps the file's value.
   * @throws HostError when the file is broken (it is then left alone), the name is taken, or writing fails.
   */
  set(name: string, config: ServerConfig, { newName = name } = {}): Promise<void> {
    return this.#edit([name, newName], text => {
      if (newName === name) return setServer(text, name, config);
      if (this.#entries.has(newName)) throw nameTaken(newName);
      return setServer(renameServer(text, name, newName), newName, config);
    });
  }

  /** Adds all of them or, when one name is taken, none. @throws HostError as `set` does */
  add(servers: ReadonlyMap<string, ServerConfig>): Promise<void> {
    return this.#edit([...servers.keys()], text => {
      const taken = [...servers.keys()].find(name => this.#entries.has(name));
      if (taken !== undefined) throw nameTaken(taken);
      return [...servers].reduce((result, [name, config]) => setServer(result, name, config), text);
    });
  }

  /** @throws HostError as `set` does */
  remove(name: string): Promise<void> {
    return this.#edit([name], text => removeServer(text, name));
  }

  async close(): Promise<void> {
    const watcher = this.#watcher;
    this.#watcher = undefined;
    await watcher?.close();
    await this.#work;
  }

  /** One edit at a time, always on the newest text. */
  #edit(names: string[], change: (text: string) => string): Promise<void> {
    return this.#queue(async () => {
      await this.#read();
      if (this.#error) {
        const { message, hint } = this.#error;
        throw new HostError('config.broken', `servers.json cannot be changed now. ${message}`, hint);
      }
      const text = this.#text ?? '';
      const twice = names.find(name => isListedTwice(text, name));
      if (twice !== undefined) throw listedTwice(twice);
      const next = change(text);
      const check = readServers(next, this.path);
      if ('error' in check) throw new Error(`Bug: the edit would break the file. ${check.error.message}`);
      await this.#write(next);
      await this.#read();
    });
  }

  /** What the watcher does: a change of the content is told, our own writes are known already. */
  #reload(): Promise<boolean> {
    return this.#queue(() => this.#read());
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#work.then(work);
    this.#work = next.catch(() => undefined); // The caller hears of it; the next in the queue must still run.
    return next;
  }

  /** Whether the content is another one than before. */
  async #read(): Promise<boolean> {
    const before = { text: this.#text, error: this.#error?.message };
    const read = await readText(this.path);
    if ('error' in read) {
      this.#error = read.error;
      this.#text = undefined;
    } else if (read.text !== this.#text) {
      this.#text = read.text;
      const result = readServers(read.text, this.path);
      this.#error = 'error' in result ? result.error : undefined;
      if ('entries' in result) this.#entries = result.entries;
    }
    return before.text !== this.#text || before.error !== this.#error?.message;
  }

  async #write(text: string): Promise<void> {
    try {
      await mkdir(dirname(this.path), { recursive: true });
      // An existing file keeps its own mode and owner.
      await writeFileAtomic(this.path, text, existsSync(this.path) ? {} : { mode: 0o600 });
    } catch (error) {
      throw new HostError(
        'config.write',
        `${this.path} could not be written: ${messageOf(error)}`,
        'Check the rights of the file and its folder, and the space on the disk.',
        { cause: error },
      );
    }
  }

  /** Editors replace files by renaming: the folder is watched, never the file's inode. */
  async #watch(usePolling: boolean): Promise<void> {
    const watcher = watch(dirname(this.path), {
      depth: 0,
      ignoreInitial: true,
      usePolling,
      ignored: (path, stats) => stats?.isFile() === true && path !== this.path,
      awaitWriteFinish: { stabilityThreshold: WATCH_PAUSE_MS, pollInterval: 20 },
    });
    this.#watcher = watcher;
    const changed = (path: string) => {
      if (path === this.path) void this.#reload().then(isOther => isOther && this.#onChange());
    };
    watcher.on('add', changed).on('change', changed).on('unlink', changed);
    await new Promise<void>(done => {
      watcher.once('ready', done);
      // The system has no more watches to give (ENOSPC, EMFILE): looking from time to time needs none.
      watcher.once('error', () => {
        watcher.on('error', () => undefined);
        if (this.#watcher !== watcher) return done();
        void watcher
          .close()
          .then(() => (usePolling ? undefined : this.#watch(true)))
          .then(done);
      });
    });
  }
}

async function readText(path: string): Promise<{ text: string } | { error: ErrorInfo }> {
  try {
    return { text: await readFile(path, 'utf8') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { text: '' };
    return {
      error: {
        code: 'config.unreadable',
        message: `${path} cannot be read: ${messageOf(error)}`,
        hint: 'Check the rights of the file.',
      },
    };
  }
}

function nameTaken(name: string): HostError {
  return new HostError(
    'config.nameTaken',
    `There is already a server called “${name}”.`,
    'Choose another name.',
  );
}

function listedTwice(name: string): HostError {
  return new HostError(
    'config.twice',
    `servers.json has two entries called “${name}”.`,
    'Remove one of them in the file; the last one is in use.',
  );
}
