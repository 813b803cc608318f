import type { ServerAuth, ServerConfig } from '../../shared/servers.ts';

/** The members of `auth` that are secret. */
const AUTH_SECRETS = ['clientSecret', 'privateKey', 'assertion'] as const;
const IDP_SECRETS = ['clientSecret', 'idToken'] as const;

/** What a value becomes; `usedFor` says in words what it is. */
type Change = (value: string, usedFor: string) => string;

/** The config with every value that may be a secret, or refer to one, changed: of arguments, `env`, `headers`, `auth`. */
export function mapValues(config: ServerConfig, change: Change): ServerConfig {
  const mapped = mapSecrets(config, change);
  if (mapped.type === 'http' || !mapped.args) return mapped;
  return { ...mapped, args: mapped.args.map(value => change(value, 'an argument')) };
}

/** The config with every value that may be a secret changed: all of `env` and `headers`, and the secrets of `auth`. */
export function mapSecrets(config: ServerConfig, change: Change): ServerConfig {
  if (config.type === 'stdio')
    return config.env ? { ...config, env: mapRecord(config.env, change, 'the variable') } : config;
  return {
    ...config,
    ...(config.headers ? { headers: mapRecord(config.headers, change, 'the header') } : {}),
    ...(config.auth ? { auth: mapAuth(config.auth, change) } : {}),
  };
}

function mapAuth(auth: ServerAuth, change: Change): ServerAuth {
  const { idp } = auth;
  return {
    ...mapMembers(auth, AUTH_SECRETS, change, 'auth'),
    ...(idp ? { idp: mapMembers(idp, IDP_SECRETS, change, 'auth.idp') } : {}),
  };
}

function mapMembers<T extends object>(object: T, keys: readonly (keyof T)[], change: Change, of: string): T {
  const changed = keys.flatMap(key => {
    const value = object[key];
    return typeof value === 'string' ? [[key, change(value, `${of}.${String(key)}`)]] : [];
  });
  // A secret that has become empty is none.
  return Object.fromEntries(
    Object.entries({ ...object, ...Object.fromEntries(changed) }).filter(([, value]) => value !== ''),
  ) as T;
}

function mapRecord(record: Record<string, string>, change: Change, what: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, change(value, `${what} ${name}`)]),
  );
}
