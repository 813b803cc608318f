import { KEPT_VALUE, type ServerConfig } from '../../shared/servers.ts';

/** The config without the values that may be secrets, for everything outside the main process. */
export function maskConfig(config: ServerConfig): ServerConfig {
  const masked = Object.fromEntries(Object.keys(valuesOf(config)).map(name => [name, KEPT_VALUE]));
  if (config.type === 'stdio') return config.env ? { ...config, env: masked } : config;
  return config.headers ? { ...config, headers: masked } : config;
}

/**
 * Replaces every value of the config's `env` and `headers` in a text. Words that are in any log anyway (`true`,
 * `8080`, `pt`) are left: they protect nothing and would make the text unreadable.
 */
export function redactor(config: ServerConfig): (text: string) => string {
  const secrets = Object.values(valuesOf(config))
    .flatMap(pieces)
    .filter(
      piece => piece.length >= 4 && !/^(true|false|null|none|info|warn|error|debug|\d{1,5})$/i.test(piece),
    )
    .sort((a, b) => b.length - a.length);
  return text => secrets.reduce((result, secret) => result.replaceAll(secret, '[hidden]'), text);
}

/** A value, its lines (a log shows them one by one), and the token after a scheme such as `Bearer`. */
function pieces(value: string): string[] {
  const token = /^[A-Za-z][\w-]*[ :]+(\S+)$/.exec(value)?.[1];
  return [value, ...value.split(/\r?\n/), ...(token ? [token] : [])];
}

function valuesOf(config: ServerConfig): Record<string, string> {
  return (config.type === 'stdio' ? config.env : config.headers) ?? {};
}
