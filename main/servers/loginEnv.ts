import { DEFAULT_INHERITED_ENV_VARS } from '@modelcontextprotocol/client/stdio';
import { shellEnv } from 'shell-env';

const TIME_LIMIT_MS = 5000;

type Env = Readonly<Record<string, string | undefined>>;

/** What a child needs to feel at home; everything else of our environment stays with us. */
const INHERITED = new Set([
  ...DEFAULT_INHERITED_ENV_VARS,
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'DOCKER_HOST',
  'SSH_AUTH_SOCK',
]);

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

/**
 * The base environment of every local server: PATH and home-like variables, UTF-8 for Python, nothing secret. An
 * environment that comes from a shell is taken as it is: an interactive login shell beside a program in a terminal
 * would also fight with it over that terminal.
 */
export async function baseEnvironment(own: Env, isFromShell = false): Promise<Record<string, string>> {
  const shell = isFromShell || process.platform === 'win32' ? own : await readLoginShell(own);
  const env: Record<string, string> = { PYTHONUTF8: '1', PYTHONIOENCODING: 'utf-8' };
  for (const source of [shell, own]) {
    for (const [name, value] of Object.entries(source)) {
      if (value !== undefined && INHERITED.has(name)) env[name] = value;
    }
  }
  env.PATH = mergePaths(shell.PATH, own.PATH);
  return env;
}

/** The login shell's folders first, then ours that it lacks. */
function mergePaths(...paths: (string | undefined)[]): string {
  const separator = process.platform === 'win32' ? ';' : ':';
  return [...new Set(paths.flatMap(path => path?.split(separator) ?? []))].filter(Boolean).join(separator);
}
