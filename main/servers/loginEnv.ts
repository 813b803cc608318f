import { DEFAULT_INHERITED_ENV_VARS } from '@modelcontextprotocol/client/stdio';
import { shellEnv } from 'shell-env';

const TIME_LIMIT_MS = 5000;

type Env = Readonly<Record<string, string | undefined>>;

/** What a child needs to feel at home; everything else of our environment stays with us. */
const INHERITED = new Set([
  ...DEFAULT_INHERITED_ENV_VARS.map(name => name.toUpperCase()),
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'DOCKER_HOST',
  'SSH_AUTH_SOCK',
  // Without them, Windows finds neither programs nor itself.
  'PATHEXT',
  'COMSPEC',
  'WINDIR',
  'PROGRAMDATA',
  'PROGRAMFILES(X86)',
]);

/** Families of harmless names: locale, and where a desktop keeps a person's files. */
const INHERITED_FAMILIES = /^(LC_|XDG_)/;

let login: Promise<Env> | undefined;

/**
 * The environment of the person's login shell: a program started from a desktop does not have their PATH. Read once
 * for the process; `own` stands in when the shell does not answer in time.
 */
function readLoginShell(own: Env): Promise<Env> {
  login ??= Promise.race([
    shellEnv(),
    new Promise<Env>(resolve => setTimeout(resolve, TIME_LIMIT_MS, own).unref()),
  ]).catch(() => own);
  return login;
}

/** All that the person's shell knows: for what they refer to by name, never for a server as a whole. */
export async function loginEnvironment(own: Env, isFromShell = false): Promise<Env> {
  return isFromShell || process.platform === 'win32' ? own : { ...own, ...(await readLoginShell(own)) };
}

/**
 * The base environment of every local server: PATH and home-like variables, UTF-8 for Python, nothing secret. An
 * environment that comes from a shell is taken as it is: an interactive login shell beside a program in a terminal
 * would also fight with it over that terminal.
 */
export async function baseEnvironment(own: Env, isFromShell = false): Promise<Record<string, string>> {
  const shell = await loginEnvironment(own, isFromShell);
  const paths = [shell, own].map(source => environment(source).PATH);
  const inherited = Object.entries({ ...shell, ...own }).filter(([name]) => isInherited(name));
  return environment(UTF8_FOR_PYTHON, Object.fromEntries(inherited), { PATH: mergePaths(...paths) });
}

/** What Python writes would else be in the code page of the system. */
const UTF8_FOR_PYTHON = { PYTHONUTF8: '1', PYTHONIOENCODING: 'utf-8' };

/** One environment of several, of which later ones win. Windows does not care about case, so that `Path` is PATH. */
export function environment(...sources: Env[]): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of sources.flatMap(source => Object.entries(source))) {
    if (value !== undefined) env[process.platform === 'win32' ? name.toUpperCase() : name] = value;
  }
  return env;
}

/** Proxies are written in either case. */
function isInherited(name: string): boolean {
  return INHERITED.has(name.toUpperCase()) || INHERITED_FAMILIES.test(name);
}

/** The login shell's folders first, then ours that it lacks. */
function mergePaths(...paths: (string | undefined)[]): string {
  const separator = process.platform === 'win32' ? ';' : ':';
  return [...new Set(paths.flatMap(path => path?.split(separator) ?? []))].filter(Boolean).join(separator);
}
