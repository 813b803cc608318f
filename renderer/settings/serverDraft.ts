import { type Era, KEPT_VALUE, ServerConfig, ServerName, type ServerView } from '../../shared/servers.ts';
import { type AuthDraft, type AuthErrors, authDraftOf, authOf, checkAuth } from './authDraft.ts';
import { quoteWord, splitCommandLine } from './commandLine.ts';

/** A line of `env` or `headers` while it is edited. */
export interface Row {
  /** Only tells rows apart. */
  id: number;
  key: string;
  value: string;
}

/** A server while it is edited: text as it was typed. */
export interface ServerDraft {
  name: string;
  type: 'stdio' | 'http';
  command: string;
  args: string;
  /** lines: one argument in each line, as it stands. shell: words and quotes as in a shell. */
  argsAs: 'lines' | 'shell';
  env: Row[];
  cwd: string;
  url: string;
  headers: Row[];
  /** sse: only the old HTTP+SSE transport. auto: that one as the last resort. */
  transport: 'auto' | 'sse';
  auth: AuthDraft;
  /** auto: Parley finds it out. */
  era: 'auto' | Era;
  /** The folders that the server is told of. */
  roots: string[];
  /** How long a request may stay silent, in seconds; empty: the default. */
  timeout: string;
}

export type DraftField = keyof ServerDraft;
export type DraftErrors = Partial<Record<Exclude<DraftField, 'auth'>, string>> & { auth?: AuthErrors };

export function emptyDraft(type: ServerDraft['type']): ServerDraft {
  return {
    name: '',
    type,
    command: '',
    args: '',
    argsAs: 'lines',
    env: [],
    cwd: '',
    url: '',
    headers: [],
    transport: 'auto',
    auth: authDraftOf(undefined),
    era: 'auto',
    roots: [],
    timeout: '',
  };
}

export function draftOf({ name, config }: Pick<ServerView, 'name' | 'config'>): ServerDraft {
  const timeout = config.timeoutMs === undefined ? '' : String(config.timeoutMs / 1_000);
  const own = { timeout, roots: config.roots ?? [], era: config.era ?? ('auto' as const) };
  const draft = { ...emptyDraft(config.type), name, ...own };
  if (config.type === 'http') {
    const transport = config.transport ?? 'auto';
    const auth = authDraftOf(config.auth);
    return { ...draft, url: config.url, headers: rowsOf(config.headers), transport, auth };
  }
  const args = config.args ?? [];
  const fitLines = args.every(arg => arg !== '' && !/[\r\n]/.test(arg));
  return {
    ...draft,
    command: config.command,
    args: fitLines ? args.join('\n') : args.map(quoteWord).join(' '),
    argsAs: fitLines ? 'lines' : 'shell',
    env: rowsOf(config.env),
    cwd: config.cwd ?? '',
  };
}

/** The arguments as they will be passed, or why they cannot be read. */
export function argsOf({
  args,
  argsAs,
}: Pick<ServerDraft, 'args' | 'argsAs'>): { words: string[] } | { error: string } {
  if (argsAs === 'shell') return splitCommandLine(args);
  return { words: args.split(/\r?\n/).filter(line => line !== '') };
}

/**
 * The config that a draft describes, or what is wrong with it by field. `before` is the config that is edited: what
 * the form does not show, such as being switched off, stays.
 */
export function configOf(
  draft: ServerDraft,
  taken: readonly string[],
  before?: ServerConfig,
): { name: string; config: ServerConfig } | { errors: DraftErrors } {
  const name = draft.name.trim();
  const args = argsOf(draft);
  const auth = authOf(draft.auth);
  const errors: DraftErrors = {
    ...checkName(name, taken),
    ...checkTimeout(draft.timeout),
    ...(draft.type === 'stdio' ? checkStdio(draft, args) : checkHttp(draft)),
  };
  if (Object.keys(errors).length > 0) return { errors };
  const own = {
    ...(before?.disabled === undefined ? {} : { disabled: before.disabled }),
    ...(draft.roots.length === 0 ? {} : { roots: draft.roots }),
    ...(draft.era === 'auto' || !hasEras(draft) ? {} : { era: draft.era }),
    ...(draft.timeout.trim() === '' ? {} : { timeoutMs: Math.round(Number(draft.timeout) * 1_000) }),
  };
  const config: ServerConfig =
    draft.type === 'http'
      ? {
          type: 'http',
          url: draft.url.trim(),
          ...(draft.transport === 'sse' ? { transport: 'sse' as const } : {}),
          ...optional('headers', recordOf(draft.headers)),
          ...(auth ? { auth } : {}),
          ...own,
        }
      : {
          type: 'stdio',
          command: draft.command.trim(),
          ...('words' in args && args.words.length > 0 ? { args: args.words } : {}),
          ...optional('env', recordOf(draft.env)),
          ...(draft.cwd.trim() === '' ? {} : { cwd: draft.cwd.trim() }),
          ...own,
        };
  return { name, config };
}

/** The old HTTP+SSE transport knows only the legacy one. */
export function hasEras({ type, transport }: Pick<ServerDraft, 'type' | 'transport'>): boolean {
  return type === 'stdio' || transport !== 'sse';
}

/** Would saving start something else than before on this computer? Then the person must see it first. */
export function runsAnew(config: ServerConfig, before: ServerConfig | undefined): boolean {
  if (config.type !== 'stdio') return false;
  const runs = (one: ServerConfig) => {
    if (one.type !== 'stdio') return one.type;
    const env = Object.entries(one.env ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify([one.command, one.args ?? [], env, one.cwd ?? '']);
  };
  return !before || runs(config) !== runs(before);
}

/** Splits `npx -y server` that was typed as a command; undefined when it is one word, or a path with blanks. */
export function commandWithArgs(command: string): { command: string; args: string[] } | undefined {
  const split = splitCommandLine(command.replaceAll('\\', '\\\\'));
  if (!('words' in split) || split.words.length < 2) return undefined;
  const [first = '', ...args] = split.words;
  return /^([A-Za-z]:)?[\\/]/.test(command.trim()) && !command.includes('"') && !/\s-/.test(command)
    ? undefined
    : { command: first, args };
}

function checkName(name: string, taken: readonly string[]): DraftErrors {
  if (name === '') return { name: 'Give the server a name.' };
  if (taken.includes(name)) return { name: 'There is a server of this name already.' };
  return ServerName.safeParse(name).success ? {} : { name: 'Use at most 100 characters.' };
}

function checkTimeout(timeout: string): DraftErrors {
  const seconds = Number(timeout);
  return timeout.trim() === '' || (seconds >= 0.001 && seconds <= 86_400)
    ? {}
    : { timeout: 'Enter seconds, at most 86400 (a day), or leave it empty.' };
}

function checkStdio(draft: ServerDraft, args: ReturnType<typeof argsOf>): DraftErrors {
  return {
    ...(draft.command.trim() === '' ? { command: 'Enter the program to run, such as npx.' } : {}),
    ...('error' in args ? { args: args.error } : {}),
    ...checkRows('env', draft.env, /^[^=\0]+$/, 'A variable name cannot hold “=”.'),
  };
}

function checkHttp(draft: ServerDraft): DraftErrors {
  const url = draft.url.trim();
  const valid = ServerConfig.safeParse({ type: 'http', url }).success;
  const auth = checkAuth(draft.auth);
  return {
    ...(valid ? {} : { url: 'Enter the whole address, such as https://example.com/mcp.' }),
    ...checkRows(
      'headers',
      draft.headers,
      /^[!#$%&'*+.^_`|~\w-]+$/,
      'A header name holds only letters, digits and dashes.',
    ),
    ...(Object.keys(auth).length === 0 ? {} : { auth }),
  };
}

function checkRows(
  field: 'env' | 'headers',
  rows: readonly Row[],
  name: RegExp,
  wrongName: string,
): DraftErrors {
  const keys = rows.map(({ key }) => key.trim()).filter(key => key !== '');
  const double = keys.find((key, index) => keys.indexOf(key) !== index);
  if (double !== undefined) return { [field]: `“${double}” is there twice.` };
  if (rows.some(({ key, value }) => key.trim() === '' && value !== ''))
    return { [field]: 'A value has no name.' };
  return keys.every(key => name.test(key)) ? {} : { [field]: wrongName };
}

/** Rows of names whose values the window never sees: each keeps what the file has until it is replaced. */
export function rowsOf(record: Readonly<Record<string, string>> | undefined): Row[] {
  return Object.entries(record ?? {}).map(([key, value], id) => ({ id, key, value }));
}

export function recordOf(rows: readonly Row[]): Record<string, string> {
  return Object.fromEntries(
    rows.map(({ key, value }) => [key.trim(), value] as const).filter(([key]) => key !== ''),
  );
}

export function isKept(row: Row): boolean {
  return row.value === KEPT_VALUE;
}

function optional<K extends string>(
  key: K,
  record: Record<string, string>,
): { [P in K]?: Record<string, string> } {
  return (Object.keys(record).length === 0 ? {} : { [key]: record }) as { [P in K]?: Record<string, string> };
}
