import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { ErrorInfo } from '../../shared/errors.ts';
import { ServerAuth, type ServerConfig, ServerName } from '../../shared/servers.ts';
import { URL_KEYS, understandEntry, unusableEntry } from './entries.ts';
import { removeMember, renameMember, setMember } from './jsonEdit.ts';
import { unmaskConfig } from './masking.ts';
import { isObject } from './objects.ts';

/** The text of servers.json: what it says, and how it is changed. Pure; the file itself is config.ts. */

export type Entries = ReadonlyMap<string, ServerConfig | ErrorInfo>;

/**
 * Every entry of `mcpServers`, good or bad, in the order of the file; or why the file cannot be used at all.
 * Comments, trailing commas, a byte order mark and an empty file are fine.
 */
export function readServers(text: string, path: string): { entries: Entries } | { error: ErrorInfo } {
  const errors: ParseError[] = [];
  const [bom, bare] = splitBom(text);
  const root = parseTree(bare, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first) return { error: syntaxError(path, text, first, bom.length) };
  if (!root) return { entries: new Map() };
  const servers = root.type === 'object' ? memberOf(root, 'mcpServers') : root;
  if (!servers) return { entries: new Map() };
  if (root.type !== 'object' || servers.type !== 'object') return { error: shapeError(path) };
  // By the nodes and not by an object's keys: those would put numbers first and lose `__proto__`.
  return { entries: new Map(members(servers).map(([name, node]) => [name, understandNamed(name, node)])) };
}

/**
 * The text with the entry `name` made to say `config`. Only what differs is touched; KEPT_VALUE leaves a value as it
 * is in the file, and keys that Parley does not know stay.
 */
export function setServer(text: string, name: string, config: ServerConfig): string {
  return edit(text, bare => {
    const path = ['mcpServers', name];
    const raw = rawEntry(bare, name);
    if (!isObject(raw)) return setMember(bare, path, wholeEntry(config));
    return changes(raw, config).reduce(
      (result, [keys, value]) =>
        value === undefined
          ? removeMember(result, [...path, ...keys])
          : setMember(result, [...path, ...keys], value),
      bare,
    );
  });
}

export function removeServer(text: string, name: string): string {
  return edit(text, bare => removeMember(bare, ['mcpServers', name]));
}

/** The entry keeps its place, its comments and its content. */
export function renameServer(text: string, name: string, newName: string): string {
  return edit(text, bare => renameMember(bare, ['mcpServers', name], newName));
}

/** Whether the file has two entries of this name: only the last one counts, so an edit could miss it. */
export function isListedTwice(text: string, name: string): boolean {
  const root = parseTree(splitBom(text)[1], [], { allowTrailingComma: true });
  const servers = root && memberOf(root, 'mcpServers');
  return servers !== undefined && members(servers).filter(([key]) => key === name).length > 1;
}

const EMPTY_FILE = '{\n  "mcpServers": {}\n}\n';

function edit(text: string, change: (bare: string) => string): string {
  const [bom, bare] = splitBom(text);
  return bom + change(parseTree(bare, [], { allowTrailingComma: true }) ? bare : EMPTY_FILE);
}

/** Keys that only one kind of server has. */
const NONE = { transport: undefined, env: undefined, headers: undefined, auth: undefined };

type Change = [keys: string[], value: unknown];

/** What has to be written to make `raw` say `config`; undefined removes. */
function changes(raw: Record<string, unknown>, masked: ServerConfig): Change[] {
  const understood = understandEntry(raw);
  const before: Record<string, unknown> = 'code' in understood ? raw : understood;
  const config = unmaskConfig(masked, 'code' in understood ? undefined : understood);
  const { type, transport, env, headers, auth, ...plain } = { ...NONE, ...config };
  const result: Change[] = [];
  const set = (key: string, value: unknown) => {
    if (isDeepStrictEqual(before[key] ?? undefined, value)) return;
    if (key === 'url') for (const alias of URL_KEYS) if (alias in raw) result.push([[alias], undefined]);
    if (value !== undefined || key in raw) result.push([[key], value]);
  };
  if (before.type !== type || before.transport !== transport)
    result.push([['type'], type === 'http' ? (transport ?? 'http') : undefined]);
  const other = type === 'http' ? ['command', 'args', 'cwd', 'env'] : ['url', ...URL_KEYS, 'headers', 'auth'];
  for (const key of other) if (key in raw) result.push([[key], undefined]);
  const ours = type === 'http' ? ['url'] : ['command', 'args', 'cwd'];
  for (const key of [...ours, 'timeoutMs', 'roots', 'era']) set(key, (plain as Record<string, unknown>)[key]);
  // `false` and nothing mean the same.
  if (Boolean(before.disabled) !== Boolean(config.disabled)) set('disabled', config.disabled || undefined);
  result.push(
    ...(type === 'http' ? values(raw, before, 'headers', headers) : values(raw, before, 'env', env)),
    ...(type === 'http' ? authChanges(raw, before, auth) : []),
  );
  return result;
}

/** The changes of `env` or `headers`, value by value. */
function values(
  raw: Record<string, unknown>,
  before: Record<string, unknown>,
  key: 'env' | 'headers',
  wanted: Record<string, string> = {},
): Change[] {
  const old = isObject(before[key]) ? before[key] : {};
  const names = Object.keys(wanted);
  if (names.length === 0) return key in raw ? [[[key], undefined]] : [];
  if (!isObject(raw[key])) return [[[key], wanted]];
  const gone = Object.keys(raw[key]).filter(name => !names.includes(name));
  return [
    ...gone.map((name): Change => [[key, name], undefined]),
    ...names.filter(name => wanted[name] !== old[name]).map((name): Change => [[key, name], wanted[name]]),
  ];
}

/** The changes of `auth`, member by member: those that Parley does not know stay. */
function authChanges(
  raw: Record<string, unknown>,
  before: Record<string, unknown>,
  wanted: ServerAuth | undefined,
): Change[] {
  if (!isObject(raw.auth)) return wanted || 'auth' in raw ? [[['auth'], wanted]] : [];
  const known = ServerAuth.keyof().options;
  if (!wanted && Object.keys(raw.auth).every(key => known.some(one => one === key)))
    return [[['auth'], undefined]];
  const old: ServerAuth = isObject(before.auth) ? before.auth : {};
  return known
    .filter(key => !isDeepStrictEqual(old[key], wanted?.[key]))
    .map((key): Change => [['auth', key], wanted?.[key]]);
}

function wholeEntry(config: ServerConfig): Record<string, unknown> {
  const { type, transport, ...rest } = { ...NONE, ...unmaskConfig(config, undefined) };
  const secrets = config.type === 'http' ? { headers: rest.headers } : { env: rest.env };
  const [[name, map]] = Object.entries(secrets) as [[string, Record<string, string> | undefined]];
  return {
    ...(type === 'http' ? { type: transport ?? type } : {}),
    ...rest,
    [name]: map && Object.keys(map).length > 0 ? map : undefined,
  };
}

function rawEntry(bare: string, name: string): unknown {
  const root = parseTree(bare, [], { allowTrailingComma: true });
  const servers = root && memberOf(root, 'mcpServers');
  const node = servers && memberOf(servers, name);
  return node && getNodeValue(node);
}

function understandNamed(name: string, node: Node): ServerConfig | ErrorInfo {
  const { success } = ServerName.safeParse(name);
  return success
    ? understandEntry(getNodeValue(node))
    : unusableEntry('Its name is empty, too long or padded.');
}

function members(object: Node): [string, Node][] {
  return (object.children ?? []).flatMap(({ children }) =>
    children?.[0] && children[1] ? [[String(children[0].value), children[1]] as [string, Node]] : [],
  );
}

/** The last member of that name: it is the one that counts in JSON. */
function memberOf(object: Node, key: string): Node | undefined {
  return members(object).findLast(([name]) => name === key)?.[1];
}

function splitBom(text: string): [bom: string, bare: string] {
  return text.startsWith('\uFEFF') ? ['\uFEFF', text.slice(1)] : ['', text];
}

/** By the names that jsonc-parser gives its error codes. */
const SYNTAX: Readonly<Record<string, string>> = {
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  EndOfFileExpected: 'there is text after the end',
  InvalidCharacter: 'there is a character that does not belong there',
  InvalidEscapeCharacter: 'there is an unknown \\ sequence (write \\\\ for a backslash)',
  PropertyNameExpected: 'a name in double quotes is missing',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a closing " is missing',
  ValueExpected: 'a value is missing',
};

function syntaxError(path: string, text: string, { error, offset }: ParseError, shift: number): ErrorInfo {
  const before = text.slice(shift, offset + shift).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  const what = SYNTAX[printParseErrorCode(error)] ?? 'the text is not valid JSON';
  return {
    code: 'config.syntax',
    message: `${path} has an error in line ${before.length}, column ${column}: ${what}.`,
    hint: 'Correct the file; Parley reads it again by itself and does not change it until then.',
  };
}

function shapeError(path: string): ErrorInfo {
  return {
    code: 'config.shape',
    message: `${path} must hold an object with the key "mcpServers", itself an object.`,
    hint: 'The shape is {"mcpServers": {"name": {"command": "…"}}}.',
  };
}
