import { createHash } from 'node:crypto';
import type { PriorDiscovery } from '@modelcontextprotocol/client';
import type { ServerConfig } from '../../shared/servers.ts';
import type { Db } from '../database.ts';

/** An upgraded server still answers the old handshake, so a legacy verdict must not last for ever. */
const LEGACY_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/** Remembers for each server configuration which protocol era it speaks, so that the next start skips the probe. */
export class Eras {
  readonly #db: Db;
  readonly #now: () => number;

  constructor(db: Db, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
  }

  recall(config: ServerConfig): PriorDiscovery | undefined {
    const row = this.#db
      .prepare('SELECT json, found_at FROM server_eras WHERE config_hash = ?')
      .get(configHash(config)) as { json: string; found_at: number } | undefined;
    if (!row) return undefined;
    const prior = JSON.parse(row.json) as PriorDiscovery;
    if (prior.kind === 'legacy' && this.#now() - row.found_at > LEGACY_LIFE_MS) return undefined;
    return prior;
  }

  remember(config: ServerConfig, prior: PriorDiscovery): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO server_eras (config_hash, json, found_at) VALUES (?, ?, ?)')
      .run(configHash(config), JSON.stringify(prior), this.#now());
  }

  forget(config: ServerConfig): void {
    this.#db.prepare('DELETE FROM server_eras WHERE config_hash = ?').run(configHash(config));
  }
}

/** What decides who answers; secrets (values of env and headers) stay out. */
export function configHash(config: ServerConfig): string {
  const identity =
    config.type === 'stdio'
      ? [config.command, config.args ?? [], config.cwd ?? '', Object.keys(config.env ?? {}).sort()]
      : [config.url, Object.keys(config.headers ?? {}).sort()];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex');
}
