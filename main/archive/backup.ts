import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import Database from 'libsql';
import { HostError } from '../../shared/errors.ts';
import type { Db } from '../database.ts';
import { migrations } from '../migrations.ts';

/** What a backup brings back, to be shown before it is. */
export interface BackupContents {
  conversations: number;
  /** Rules that let tools run without a question. */
  allowing: number;
}

/**
 * Writes the whole database into one file: conversations, drafts and rules. Servers, settings and secrets are not in it.
 * @throws HostError `backup.write`; an older file of that name is as it was then
 */
export function backUp(db: Db, file: string): void {
  const unfinished = `${file}.unfinished`;
  try {
    rmSync(unfinished, { force: true });
    db.prepare('VACUUM INTO ?').run(unfinished);
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new HostError('backup.write', `The backup could not be written: ${(error as Error).message}`);
  }
}

/** @throws HostError `backup.unreadable` or `backup.newer`, when it is no backup that this Parley can restore */
export function lookIntoBackup(file: string): BackupContents {
  let db: Db | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
    const [{ quick_check: found } = {}] = db.prepare('PRAGMA quick_check(1)').all() as {
      quick_check?: string;
    }[];
    if (found !== 'ok') throw new Error(found ?? 'It is damaged.');
    const conversations = countOf(db, 'SELECT count(*) AS count FROM conversations');
    const allowing = countOf(
      db,
      `SELECT (SELECT count(*) FROM tool_rules WHERE rule = 'allow') +
        (SELECT count(*) FROM server_rules WHERE rule = 'allow' OR allow_read_only) AS count`,
    );
    if (version > migrations.length) {
      const hint = 'Update Parley first.';
      throw new HostError(
        'backup.newer',
        'This backup was made by a newer Parley, which this one cannot read.',
        hint,
      );
    }
    return { conversations, allowing };
  } catch (error) {
    if (error instanceof HostError) throw error;
    throw new HostError(
      'backup.unreadable',
      `This is no backup that can be read: ${(error as Error).message}`,
    );
  } finally {
    db?.close();
  }
}

function countOf(db: Db, query: string): number {
  return (db.prepare(query).get() as { count: number }).count;
}

/** Keeps the backup ready for the next start, when nothing has the database open. @throws HostError as `lookIntoBackup` */
export function prepareRestore(backup: string, databaseFile: string): void {
  lookIntoBackup(backup);
  const unfinished = `${stagedFor(databaseFile)}.unfinished`;
  copyFileSync(backup, unfinished);
  renameSync(unfinished, stagedFor(databaseFile));
}

/** Before the database is opened: puts a backup that was made ready in its place. Returns where the replaced one is kept. */
export function takeRestore(databaseFile: string): string | undefined {
  const staged = stagedFor(databaseFile);
  if (!existsSync(staged)) return undefined;
  const kept = `${databaseFile}.before-restore`;
  for (const part of ['', '-wal', '-shm']) {
    rmSync(`${kept}${part}`, { force: true });
    if (existsSync(`${databaseFile}${part}`)) renameSync(`${databaseFile}${part}`, `${kept}${part}`);
  }
  renameSync(staged, databaseFile);
  return kept;
}

function stagedFor(databaseFile: string): string {
  return `${databaseFile}.restore`;
}
