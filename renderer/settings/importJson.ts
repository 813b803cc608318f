/**
 * Reads servers out of pasted JSON, before anything is saved: what the person agrees to is exactly what is sent to
 * the host afterwards, made of the keys that are listed here and no others.
 */
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { ServerConfig, ServerName } from '../../shared/servers.ts';
import type { JsonObject } from '../../shared/tools.ts';

export interface ImportedServer {
  name: string;
  config: ServerConfig;
  /** Keys of the entry that Parley does not know and leaves out. */
  ignored: string[];
}

export interface ImportProblem {
  name: string;
  message: string;
}

/** `problems` are entries that cannot be used; they do not keep the others from being added. */
export type Import = { servers: ImportedServer[]; problems: ImportProblem[] } | { error: string };

/**
 * Understands `{"mcpServers": {…}}`, `{"servers": {…}}`, the bare map, one entry with its name in front or inside,
 * each with comments, trailing commas and a byte order mark. Never throws.
 */
export function parseImport(text: string): Import {
  const read = readJson(text);
  if ('error' in read) return read;
  const entries = entriesOf(read.value);
  if (!entries)
    return { error: 'This holds no servers: an object like {"mcpServers": {"name": {…}}} is expected.' };
  const servers: ImportedServer[] = [];
  const problems: ImportProblem[] = [];
  for (const [name, entry] of entries) {
    const result = parseEntry(name, entry);
    if ('message' in result) problems.push(result);
    else servers.push(result);
  }
  return { servers, problems };
}

/** What `servers.importJson` is given for reviewed servers; what was pasted as switched off stays so in any case. */
export function importText(servers: readonly ImportedServer[], disabled: boolean): string {
  const entries = servers.map(({ name, config }) => [
    name,
    { ...config, ...(isSse(config) ? { type: 'sse' } : {}), ...(disabled ? { disabled } : {}) },
  ]);
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) });
}

function isSse(config: ServerConfig): boolean {
  return 'transport' in config && config.transport === 'sse';
}

function readJson(source: string): { value: unknown } | { error: string } {
  const text = source.replace(/^\ufeff/, '').trim();
  if (text === '') return { error: 'There is nothing here yet.' };
  // `"name": {…}` is what one copies out of the middle of a file.
  const whole = /^"(?:[^"\\]|\\.)*"\s*:/.test(text) ? `{${text.replace(/,$/, '')}}` : text;
  const errors: ParseError[] = [];
  const value: unknown = parse(whole, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (!first) return { value };
  const before = whole.slice(0, first.offset).split('\n');
  const reason = printParseErrorCode(first.error)
    .replace(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase();
  return {
    error: `This is not valid JSON: ${reason} in line ${before.length}, column ${(before.at(-1) ?? '').length + 1}.`,
  };
}

function entriesOf(value: unknown): [string, unknown][] | undefined {
  if (!isObject(value)) return undefined;
  const map = value.mcpServers ?? value.servers;
  if (isObject(map)) return Object.entries(map);
  if (looksLikeEntry(value)) return [[typeof value.name === 'string' ? value.name.trim() : '', value]];
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([, entry]) => isObject(entry)) ? entries : undefined;
}

function looksLikeEntry(value: JsonObject): boolean {
  return typeof value.command === 'string' || addressOf(value) !== undefined;
}

function parseEntry(name: string, entry: unknown): ImportedServer | ImportProblem {
  if (!ServerName.safeParse(name).success)
    return { name, message: 'The server has no name that can be used. Write it as "name": {…}.' };
  if (!isObject(entry)) return { name, message: 'This is not an object.' };
  const candidate = toConfig(entry);
  if (!candidate) return { name, message: 'It has neither a command nor a URL.' };
  const parsed = ServerConfig.safeParse(candidate);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { name, message: `“${issue?.path.join('.') ?? ''}” is not as expected: ${issue?.message ?? ''}.` };
  }
  const { data: config } = parsed;
  const known = new Set([...Object.keys(config), 'type', 'name', ...addressKeys]);
  const ignored = Object.keys(entry).filter(key => !known.has(key));
  return { name, config, ignored: [...ignored, ...ignoredOfAuth(entry, config)] };
}

function ignoredOfAuth({ auth }: JsonObject, config: ServerConfig): string[] {
  if (!isObject(auth) || config.type !== 'http') return [];
  return Object.keys(auth).flatMap(key => (key in (config.auth ?? {}) ? [] : [`auth.${key}`]));
}

/** The config of an entry before it is checked; undefined when it is of no kind. */
function toConfig(entry: JsonObject): JsonObject | undefined {
  const { disabled, timeoutMs, roots, era } = entry;
  const own = { disabled, timeoutMs, roots, era };
  if (typeof entry.command === 'string') {
    const { command, args, env, cwd } = entry;
    return defined({ type: 'stdio', command, args, env: texts(env), cwd, ...own });
  }
  const url = addressOf(entry);
  if (url === undefined) return undefined;
  const transport = typeof entry.type === 'string' && /^sse$/i.test(entry.type) ? 'sse' : undefined;
  return defined({ type: 'http', transport, url, headers: texts(entry.headers), auth: entry.auth, ...own });
}

const addressKeys = ['url', 'serverUrl', 'httpUrl', 'baseUrl', 'uri'];

function addressOf(entry: JsonObject): string | undefined {
  return addressKeys.map(key => entry[key]).find(value => typeof value === 'string');
}

/** `{"PORT": 8080}` is common; an environment holds only text. */
function texts(map: unknown): unknown {
  if (!isObject(map)) return map ?? undefined;
  return Object.fromEntries(
    Object.entries(map).map(([key, value]) => [
      key,
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ]),
  );
}

function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined && value !== null),
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
