import { parse } from 'jsonc-parser';
import { isObject } from './objects.ts';

const HIDDEN = '[hidden]';
/** Deeper than any honest message; a hostile one must not exhaust the stack. */
const MAX_DEPTH = 100;

/** How a member is called that holds a secret, or, of `requestState`, something that only its server may understand. */
const SECRET_NAME =
  /((password|passwd|passphrase|passcode|secret|credential|cookie|(api|access|secret|private|signing|encryption)key|(access|refresh|auth)token)s?|(?<!progress|page|next|continuation)token|authorization|sessionid|requeststate)$/;
/** Where a member of that name describes a secret, and holds none. */
const SCHEMAS = ['inputSchema', 'outputSchema', 'requestedSchema'];
/** What may be one in the description nevertheless. */
const VALUES = ['default', 'const', 'enum', 'examples'];

/** What looks like a secret wherever it stands. */
const PATTERNS: [RegExp, string][] = [
  [/\b(Bearer|Basic) +[\w.~+/=-]{16,}/g, `$1 ${HIDDEN}`],
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g, HIDDEN],
  // JSON Web Tokens, and the keys of providers that mark theirs.
  [/\beyJ[\w-]{8,}\.[\w-]+(\.[\w-]*)?/g, HIDDEN],
  [/\b(gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|npm_\w{30,})/g, HIDDEN],
  [/\b(sk-[\w-]{20,}|xox[a-z]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,})/g, HIDDEN],
  // In the query of an address or a form, and before its host.
  [/([?&#]([\w-]{0,40}(token|secret|password|api_?key|signature)|code|sig|key)=)[^&#\s"']+/gi, `$1${HIDDEN}`],
  [/(:\/\/[^/\s:@]{1,100}:)[^/\s@]{1,200}(?=@)/g, `$1${HIDDEN}`],
  // A line of an environment.
  [/\b([A-Z][A-Z0-9_]{0,60}(TOKEN|SECRET|PASSWORD|API_?KEY|PRIVATE_KEY)=)\S+/g, `$1${HIDDEN}`],
];
/** What all of these have one of; most texts have none. */
const HINT = /[=:]|Bearer|Basic|eyJ|gh[pousr_i]|glpat|npm_|sk-|xox|AKIA|AIza|-----BEGIN/;
/** A member of JSON that is itself the text of a message, as tools answer it. */
const MEMBER = /"([\w-]{1,60})"(\s*:\s*)"[^"\\]*(?:\\.[^"\\]*)*("|$)/g;

/**
 * The text of a message without secrets: the server's own, those that their name gives away, and those that look like
 * one. A text without any is returned as it is; one that was cut is closed where it was open.
 */
export function hideSecrets(
  text: string,
  { isCut, redact }: { isCut: boolean; redact: (text: string) => string },
): string {
  const json = read(text, isCut);
  const hide = (part: string) => hideInText(redact(part));
  // Not JSON, such as the page of a gateway.
  if (json === undefined) return hide(text);
  const shown = hideIn(json, { hide, inSchema: false, depth: 0 });
  // What is said twice in it is read only once: only the text itself tells that nothing is in it.
  return shown === json && !isCut && redact(text) === text ? text : JSON.stringify(shown);
}

interface Place {
  hide(text: string): string;
  inSchema: boolean;
  depth: number;
}

/** The same value where nothing is to hide. */
function hideIn(value: unknown, { hide, inSchema, depth }: Place): unknown {
  if (typeof value === 'string') return hide(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '[nested too deep to show]';
  const within = { hide, inSchema, depth: depth + 1 };
  if (Array.isArray(value)) {
    const items = value.map(item => hideIn(item, within));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const before = Object.entries(value);
  const after = before.map(([key, member]) => [hide(key), hideMember(key, member, within)] as const);
  const isSame = after.every(
    ([key, member], index) => key === before[index]?.[0] && member === before[index][1],
  );
  return isSame ? value : Object.fromEntries(after);
}

function hideMember(key: string, value: unknown, { hide, inSchema, depth }: Place): unknown {
  if (!isSecretName(key)) return hideIn(value, { hide, inSchema: inSchema || SCHEMAS.includes(key), depth });
  if (inSchema && isObject(value)) return hideIn(withoutValues(value), { hide, inSchema, depth });
  // Whether there is one may be known.
  return value === null || typeof value === 'boolean' || value === '' ? value : HIDDEN;
}

function withoutValues(schema: Record<string, unknown>): Record<string, unknown> {
  const found = VALUES.filter(name => name in schema);
  return found.length === 0
    ? schema
    : { ...schema, ...Object.fromEntries(found.map(name => [name, HIDDEN])) };
}

function hideInText(text: string): string {
  if (!HINT.test(text)) return text;
  const shown = PATTERNS.reduce((result, [pattern, hidden]) => result.replace(pattern, hidden), text);
  return shown.replace(MEMBER, (member: string, key: string, colon: string) =>
    isSecretName(key) ? `"${key}"${colon}"${HIDDEN}"` : member,
  );
}

function isSecretName(key: string): boolean {
  return SECRET_NAME.test(key.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

/** Undefined for what is no JSON. */
function read(text: string, isCut: boolean): unknown {
  try {
    return isCut ? parse(text) : JSON.parse(text);
  } catch {
    return undefined; // Also JSON that is nested too deep to be read: as a text it is still searched.
  }
}
