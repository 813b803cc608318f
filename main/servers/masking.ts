import { KEPT_VALUE, type ServerConfig } from '../../shared/servers.ts';

/** The config without the values that may be secrets, for everything outside the main process. */
export function maskConfig(config: ServerConfig): ServerConfig {
  return mapSecrets(config, () => KEPT_VALUE);
}

/** Puts the values of `old` where `edited` says "keep it". A name that is new and says so gets an empty value. */
export function unmaskConfig(edited: ServerConfig, old: ServerConfig | undefined): ServerConfig {
  const kept = old ? namedSecrets(old) : {};
  return mapSecrets(edited, (name, value) => (value === KEPT_VALUE ? (kept[name] ?? '') : value));
}

/** The values that must not appear in logs and errors. */
export function secretsOf(config: ServerConfig): string[] {
  return Object.values(namedSecrets(config));
}

function namedSecrets(config: ServerConfig): Record<string, string> {
  return (config.type === 'stdio' ? config.env : config.headers) ?? {};
}

function mapSecrets(config: ServerConfig, change: (name: string, value: string) => string): ServerConfig {
  const secrets = Object.entries(namedSecrets(config));
  if (secrets.length === 0) return config;
  const changed = Object.fromEntries(secrets.map(([name, value]) => [name, change(name, value)]));
  return config.type === 'stdio' ? { ...config, env: changed } : { ...config, headers: changed };
}
