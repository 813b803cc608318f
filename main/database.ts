import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { type ErrorInfo, HostError } from '../shared/errors.ts';
import { isDamage, salvage, setAside } from './salvage.ts';

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
  `
  -- work that only one process at a time may do; until: when a holder that does not renew it is believed dead
  CREATE TABLE leases (name TEXT PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  -- JSON: the tools and instructions that a server told of last, for the time until it is there again
  CREATE TABLE last_known (
    server TEXT PRIMARY KEY, config_hash TEXT NOT NULL, json TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- what is written but not sent; the place is the conversation's id, or '' for one that has no message yet
  CREATE TABLE drafts (
    place TEXT PRIMARY KEY, conversation_id TEXT REFERENCES conversations (id) ON DELETE CASCADE,
    text TEXT NOT NULL, attachments TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];

/**
 * Opens (and creates or upgrades) the one database of a data directory. `:memory:` works too. A damaged file is set
 * aside, and what can be read of it is in the one that is opened; `tell` hears of that in words.
 * @throws HostError when it is of a newer Parley, or cannot be upgraded safely
 */
export function openDatabase(file: string, tell: (problem: ErrorInfo) => void = () => {}): Db {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const db = new Database(file);
  try {
    refuseNewer(db);
    if (isWorthALook(file)) check(db);
    return prepared(db, file);
  } catch (error) {
    db.close();
    if (!isDamage(error)) throw error;
  }
  const damaged = setAside(file);
  const fresh = prepared(new Database(file), file);
  salvage(damaged, fresh);
  const { count } = fresh.prepare('SELECT count(*) AS count FROM conversations').get() as { count: number };
  tell({
    code: 'database.damaged',
    message: `The database of conversations was damaged. ${count === 1 ? 'One conversation' : `${count} conversations`} could be read and ${count === 1 ? 'is' : 'are'} here again; something may be missing.`,
    hint: `The damaged file is kept: ${damaged}.`,
  });
  return fresh;
}

function versionOf(db: Db): number {
  return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

function refuseNewer(db: Db): void {
  if (versionOf(db) <= migrations.length) return;
  throw new HostError(
    'database.newer',
    'The conversations were kept by a newer Parley, which this one cannot read.',
    'Update Parley, or start it with another data directory: --data DIR.',
  );
}

/** So much is looked through in less time than the window takes to open. */
const ALWAYS_CHECKED_BYTES = 32 * 1024 * 1024;

/** Beside a file that was closed there is nothing; else another Parley runs, or the last one died. */
function isWorthALook(file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return size <= ALWAYS_CHECKED_BYTES || existsSync(`${file}-wal`);
}

/** @throws as SQLite does when it comes to something damaged by itself */
function check(db: Db): void {
  const [{ quick_check: found } = {}] = db.prepare('PRAGMA quick_check(1)').all() as {
    quick_check?: string;
  }[];
  if (found !== 'ok') throw Object.assign(new Error(found), { code: 'SQLITE_CORRUPT' });
}

function prepared(db: Db, file: string): Db {
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;',
  );
  const version = versionOf(db);
  if (version === migrations.length) return db;
  if (version > 0) keepCopy(db, `${file}.version-${version}`);
  db.transaction(() => {
    for (let next = versionOf(db); next < migrations.length; next++) {
      db.exec(migrations[next] as string);
      db.exec(`PRAGMA user_version = ${next + 1}`);
    }
  })();
  return db;
}

/** The database as it is, before it is changed for good. */
function keepCopy(db: Db, copy: string): void {
  try {
    rmSync(copy, { force: true });
    db.prepare('VACUUM INTO ?').run(copy);
  } catch (error) {
    if (isDamage(error)) throw error;
    throw new HostError(
      'database.copy',
      `The conversations could not be copied before an upgrade: ${error instanceof Error ? error.message : error}.`,
      `Make room for ${copy}, then start Parley again. Nothing has been changed.`,
      { cause: error },
    );
  }
}
