import { isOnlyReference } from '../../shared/references.ts';
import { KEPT_VALUE, type ServerConfig } from '../../shared/servers.ts';
import { mapSecrets } from './values.ts';

/** The config without the values that may be secrets, for everything outside the main process. */
export function maskConfig(config: ServerConfig): ServerConfig {
  return mapSecrets(config, value => (isOnlyReference(value) ? value : KEPT_VALUE));
}

/** A config that comes back masked, with the values of the present one; empty where that has none. */
export function unmaskConfig(masked: ServerConfig, present: ServerConfig | undefined): ServerConfig {
  const known = new Map<string, string>();
  if (present)
    mapSecrets(present, (value, what) => {
      known.set(what, value);
      return value;
    });
  return mapSecrets(masked, (value, what) => (value === KEPT_VALUE ? (known.get(what) ?? '') : value));
}

/**
 * Replaces every value of the config that may be a secret, and every one of `more`, in a text. Words that are in any log anyway (`true`,
 * `8080`, `pt`) are left: they protect nothing and would make the text unreadable.
 */
export function redactor(config: ServerConfig, more: readonly string[] = []): (text: string) => string {
  const values = [...more];
  mapSecrets(config, value => {
    values.push(value);
    return value;
  });
  const secrets = values
    .filter(value => !isOnlyReference(value))
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
