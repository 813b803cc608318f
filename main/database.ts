import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';

export type Db = Database.Database;

/** Each step takes the schema one version up; a step that has been released is never edited. */
const migrations = [
  `
  CREATE TABLE conversations (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    -- JSON: the names of the tools that the last request offered
    offered_tools TEXT
  ) STRICT;
  CREATE INDEX conversations_by_recency ON conversations (updated_at DESC);
  CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    role TEXT NOT NULL, status TEXT NOT NULL, model TEXT, stop_reason TEXT, created_at INTEGER NOT NULL,
    -- the process that is writing it, while it is streaming
    writer_pid INTEGER,
    UNIQUE (conversation_id, position)
  ) STRICT;
  CREATE TABLE blocks (
    message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (message_id, position)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE tool_rules (
    server TEXT NOT NULL, tool TEXT NOT NULL, rule TEXT NOT NULL, fingerprint TEXT NOT NULL, since INTEGER NOT NULL,
    PRIMARY KEY (server, tool)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE disabled_tools (
    server TEXT NOT NULL, tool TEXT NOT NULL, PRIMARY KEY (server, tool)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE server_eras (
    config_hash TEXT PRIMARY KEY, json TEXT NOT NULL, found_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- calls that a server goes on with as a task, for the next start
  CREATE TABLE running_tasks (
    message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    -- the process that waits for it, and since when
    owner_pid INTEGER NOT NULL, owned_since INTEGER NOT NULL,
    PRIMARY KEY (message_id, position)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- what the tool was when it was allowed (JSON), to show what has changed since; and where the person answered
  ALTER TABLE tool_rules ADD COLUMN definition TEXT;
  ALTER TABLE tool_rules ADD COLUMN origin TEXT NOT NULL DEFAULT 'settings';
  -- for the tools of a server that have no rule of their own
  CREATE TABLE server_rules (
    server TEXT PRIMARY KEY, rule TEXT NOT NULL, allow_read_only INTEGER NOT NULL, since INTEGER NOT NULL,
    origin TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- the tools as they were when their server got its rule: it allows no others
  CREATE TABLE covered_tools (
    server TEXT NOT NULL REFERENCES server_rules (server) ON DELETE CASCADE ON UPDATE CASCADE,
    tool TEXT NOT NULL, fingerprint TEXT NOT NULL, definition TEXT NOT NULL,
    PRIMARY KEY (server, tool)
  ) STRICT, WITHOUT ROWID;
  `,
];

/** Opens (and creates or upgrades) the one database of a data directory. `:memory:` works too. */
export function openDatabase(file: string): Db {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const db = new Database(file);
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;',
  );
  migrate(db);
  return db;
}

function migrate(db: Db): void {
  const version = () => (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  if (version() >= migrations.length) return;
  db.transaction(() => {
    for (let next = version(); next < migrations.length; next++) {
      db.exec(migrations[next] as string);
      db.exec(`PRAGMA user_version = ${next + 1}`);
    }
  })();
}
