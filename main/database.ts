import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { type ErrorInfo, HostError } from '../shared/errors.ts';
import { migrations } from './migrations.ts';
import { isDamage, salvage, setAside } from './salvage.ts';

export type Db = Database.Database;

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

/** Does all of the work or nothing of it; within a transaction that is under way, as a part of that. */
export function inTransaction<T>(db: Db, work: () => T): T {
  return db.inTransaction ? work() : db.transaction(work)();
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
