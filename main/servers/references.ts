import { HostError } from '../../shared/errors.ts';
import { type Reference, referencesIn, replaceReferences } from '../../shared/references.ts';
import type { ServerConfig } from '../../shared/servers.ts';
import type { Asks } from '../consent/asks.ts';
import type { Ports, Secrets } from '../ports.ts';
import { loginEnvironment } from './loginEnv.ts';
import { mapValues } from './values.ts';

export interface Resolving {
  server: string;
  ports: Ports;
  asks: Asks;
  /** Fires when nobody wants the server any more. */
  signal: AbortSignal;
}

export interface Resolved {
  config: ServerConfig;
  /** The values of the secrets, wherever in the config they have gone. */
  secrets: string[];
}

/**
 * The config with every `${env:NAME}` and `${secret:NAME}` replaced by its value. A secret belongs to one server, so
 * that an entry cannot take what was given to another one; one that is not stored is asked for.
 * @throws HostError when a variable is not set or the person does not give the secret
 */
export async function resolveReferences(config: ServerConfig, resolving: Resolving): Promise<Resolved> {
  const wanted = new Map<string, { reference: Reference; usedFor: string }>();
  mapValues(config, (value, usedFor) => {
    for (const reference of referencesIn(value)) wanted.set(keyOf(reference), { reference, usedFor });
    return value;
  });
  const values = new Map<string, string>();
  const secrets: string[] = [];
  for (const [key, { reference, usedFor }] of wanted) {
    const { kind, name } = reference;
    const value = await (kind === 'env' ? variable(name, resolving) : secret(name, usedFor, resolving));
    values.set(key, value);
    if (kind === 'secret') secrets.push(value);
  }
  if (wanted.size === 0) return { config, secrets };
  const resolved = mapValues(config, value => replaceReferences(value, one => values.get(keyOf(one)) ?? ''));
  return { config: resolved, secrets };
}

/** The names of the secrets that the entry refers to and that are stored for it. */
export function storedSecrets(config: ServerConfig, server: string, secrets: Secrets): string[] {
  return secretNames(config).filter(name => secrets.get(secretKey(server, name)) !== undefined);
}

export function forgetSecrets(config: ServerConfig, server: string, secrets: Secrets): void {
  for (const name of secretNames(config)) secrets.delete(secretKey(server, name));
}

/** The secrets of a server that got another name. */
export function moveSecrets(config: ServerConfig, from: string, to: string, secrets: Secrets): void {
  for (const name of secretNames(config)) {
    const stored = secrets.get(secretKey(from, name));
    if (stored) secrets.set(secretKey(to, name), stored.value, { acceptPlain: stored.storage === 'plain' });
    secrets.delete(secretKey(from, name));
  }
}

function secretNames(config: ServerConfig): string[] {
  const names = new Set<string>();
  mapValues(config, value => {
    for (const { kind, name } of referencesIn(value)) if (kind === 'secret') names.add(name);
    return value;
  });
  return [...names];
}

async function variable(name: string, { ports }: Resolving): Promise<string> {
  const value = (await loginEnvironment(ports.env, ports.envIsFromShell))[name];
  if (value !== undefined && value !== '') return value;
  throw new HostError(
    'config.variable',
    `The environment variable ${name}, which this entry refers to, is not set.`,
    `Set it where your shell starts and start Parley again, or write \${secret:${name}}: then Parley asks for it.`,
  );
}

async function secret(
  name: string,
  usedFor: string,
  { server, ports, asks, signal }: Resolving,
): Promise<string> {
  const key = secretKey(server, name);
  const stored = ports.secrets.get(key);
  if (stored) return stored.value;
  const canEncrypt = ports.secrets.encryption;
  const answer = await asks.ask({ kind: 'secret', server, name, usedFor, canEncrypt }, signal);
  signal.throwIfAborted();
  if (answer.action === 'give') {
    ports.secrets.set(key, answer.value, { acceptPlain: answer.acceptPlain });
    return answer.value;
  }
  throw new HostError(
    'config.secret',
    `The secret “${name}”, which this entry refers to, is not stored.`,
    'Press Restart and enter it when Parley asks.',
  );
}

function keyOf({ kind, name }: Reference): string {
  return `${kind}:${name}`;
}

function secretKey(server: string, name: string): string {
  return `server.secret.${server}.${name}`;
}
