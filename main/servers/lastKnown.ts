import type { ServerConfig } from '../../shared/servers.ts';
import type { Db } from '../database.ts';
import { configHash } from './eras.ts';
import type { ListedTool } from './types.ts';

/** What a server told of itself that goes into every request to a model. */
export interface ToldToModels {
  tools: readonly ListedTool[];
  instructions?: string | undefined;
}

/**
 * What each server offered last: while one is still starting, its tools are there as they were, so that a conversation
 * neither waits for it nor loses its prompt cache. By the name of the entry too: two accounts are two servers.
 */
export class LastKnown {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  recall(server: string, config: ServerConfig): ToldToModels | undefined {
    const found = this.#db
      .prepare('SELECT json FROM last_known WHERE server = ? AND config_hash = ?')
      .get(server, configHash(config)) as { json: string } | undefined;
    return found && (JSON.parse(found.json) as ToldToModels);
  }

  remember(server: string, config: ServerConfig, { tools, instructions }: ToldToModels): void {
    const json = JSON.stringify({ tools, instructions });
    this.#db
      .prepare(
        `INSERT INTO last_known (server, config_hash, json) VALUES (?, ?, ?) ON CONFLICT (server)
         DO UPDATE SET config_hash = excluded.config_hash, json = excluded.json
         WHERE last_known.json <> excluded.json OR last_known.config_hash <> excluded.config_hash`,
      )
      .run(server, configHash(config), json);
  }

  forget(server: string): void {
    this.#db.prepare('DELETE FROM last_known WHERE server = ?').run(server);
  }
}
