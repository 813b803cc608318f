import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { watch } from 'chokidar';
import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import writeFileAtomic from 'write-file-atomic';
import { type ErrorInfo, HostError } from '../../shared/errors.ts';
import type { ServerConfig } from '../../shared/servers.ts';
import { understandEntry, writeEntry } from './entries.ts';

/** Comments, trailing commas and an empty file are fine; the rest is said with its place. */
const TOLERANT = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true };
const WATCH_PAUSE_MS = 100;

/** servers.json: read tolerantly, edited in place so that comments and unknown keys stay, watched for edits. */
export class ServersConfig {
  readonly path: string;
  #text = '';
  #error: ErrorInfo | undefined;
  #entries: ReadonlyMap<string, ServerConfig | ErrorInfo> = new Map();
  #onChange: () => void = () => undefined;
  #watcher: ReturnType<typeof watch> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** Why the file as a whole cannot be used; the entries are then the last good ones. */
  get error(): ErrorInfo | undefined {
    return this.#error;
  }

  /** Good entries, and bad ones with the reason, by name in the order of the file. */
  get entries(): ReadonlyMap<string, ServerConfig | ErrorInfo> {
    return this.#entries;
  }

  /** Reads the file (a missing one is an empty one) and tells about every later change of its content. */
  async start(onChange: () => void): Promise<void> {
    this.#onChange = onChange;
    await this.#reload();
    // Editors replace files by renaming: the folder is watched, never the file's inode.
    this.#watcher = watch(dirname(this.path), {
      depth: 0,
      ignoreInitial: true,
      ignored: (path, stats) => stats?.isFile() === true && path !== this.path,
      awaitWriteFinish: { stabilityThreshold: WATCH_PAUSE_MS, pollInterval: 20 },
    });
    const changed = (path: string) =>
      path === this.path && void this.#reload().then(yes => yes && this.#onChange());
    this.#watcher.on('add', changed).on('change', changed).on('unlink', changed);
    await new Promise<void>(resolve => this.#watcher?.once('ready', resolve));
  }

  /** Adds or replaces one entry; with `newName` it is renamed. */
  set(name: string, config: ServerConfig, options: { newName?: string } = {}): Promise<void> {
    const { newName = name } = options;
    return this.#edit(text => {
      if (newName !== name && this.#entries.has(newName)) throw nameTaken(newName);
      const renamed = newName !== name ? edit(text, ['mcpServers', name], undefined) : text;
      const current = newName === name ? rawEntry(text, name) : rawEntry(text, name);
      return edit(renamed, ['mcpServers', newName], writeEntry(config, current));
    });
  }

  remove(name: string): Promise<void> {
    return this.#edit(text => edit(text, ['mcpServers', name], undefined));
  }

  async close(): Promise<void> {
    await this.#watcher?.close();
    await this.#writing;
  }

  /** One edit at a time, always on the newest text; a broken file is left alone. */
  #edit(change: (text: string) => string): Promise<void> {
    const work = this.#writing.then(async () => {
      await this.#reload();
      if (this.#error)
        throw new HostError(
          'config.broken',
          `servers.json cannot be changed while it is broken. ${this.#error.message}`,
          this.#error.hint,
        );
      const next = change(this.#text.trim() === '' ? '{\n  "mcpServers": {}\n}\n' : this.#text);
      await mkdir(dirname(this.path), { recursive: true });
      const mode = await stat(this.path).then(
        stats => stats.mode,
        () => 0o600,
      );
      await writeFileAtomic(this.path, next, { mode });
      await this.#reload();
    });
    this.#writing = work.catch(() => undefined);
    return work;
  }

  /** Whether the content is another one than before. */
  async #reload(): Promise<boolean> {
    const text = await readText(this.path);
    if (text === this.#text && this.#entries.size > 0) return false;
    const before = this.#text;
    this.#text = text;
    const { json, error } = parseFile(text, this.path);
    this.#error = error;
    if (!error)
      this.#entries = new Map(Object.entries(json).map(([name, entry]) => [name, understandEntry(entry)]));
    return text !== before;
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function parseFile(text: string, path: string): { json: Record<string, unknown>; error?: ErrorInfo } {
  const errors: ParseError[] = [];
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const root: unknown = parse(text.slice(bom), errors, TOLERANT);
  const [first] = errors;
  if (first) {
    const { line, column } = place(text, first.offset + bom);
    return {
      json: {},
      error: {
        code: 'config.syntax',
        message: `${path} has an error in line ${line}, column ${column}: ${printParseErrorCode(first.error)}.`,
        hint: 'Correct the file; Parley reads it again by itself and does not change it until then.',
      },
    };
  }
  if (root === undefined) return { json: {} };
  const servers = isObject(root) ? (root.mcpServers ?? {}) : undefined;
  if (!isObject(servers)) {
    return {
      json: {},
      error: {
        code: 'config.shape',
        message: `${path} must hold an object with the key "mcpServers".`,
        hint: 'The shape is {"mcpServers": {"name": {"command": "…"}}}.',
      },
    };
  }
  return { json: servers };
}

function place(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function edit(text: string, path: string[], value: unknown): string {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const bare = text.slice(bom.length);
  const indent = /^(\t|[ ]+)(?=\S)/m.exec(bare)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: indent !== '\t',
    tabSize: indent === '\t' ? 1 : indent.length,
    eol: bare.includes('\r\n') ? '\r\n' : '\n',
  };
  return bom + applyEdits(bare, modify(bare, path, value, { formattingOptions }));
}

function rawEntry(text: string, name: string): Record<string, unknown> {
  const root: unknown = parse(text.replace(/^\uFEFF/, ''), [], TOLERANT);
  const servers = isObject(root) ? root.mcpServers : undefined;
  const entry = isObject(servers) ? servers[name] : undefined;
  return isObject(entry) ? entry : {};
}

function nameTaken(name: string): HostError {
  return new HostError(
    'config.nameTaken',
    `There is already a server called “${name}”.`,
    'Choose another name.',
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
