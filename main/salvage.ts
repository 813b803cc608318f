import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import Database from 'libsql';

/** A database file and what SQLite keeps beside it. */
const SIDES = ['', '-wal', '-shm'];

/** Whether SQLite says by this error that the file itself is not in order. */
export function isDamage(error: unknown): boolean {
  const code = error instanceof Error ? String((error as { code?: unknown }).code) : '';
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

/** Moves a damaged database out of the way, untouched. Returns where it is now. */
export function setAside(file: string, now = new Date()): string {
  const stamp = now.toISOString().slice(0, 19).replaceAll(':', '-');
  const damaged = `${file}.damaged-${stamp}`;
  for (const side of SIDES) if (existsSync(file + side)) renameSync(file + side, damaged + side);
  return damaged;
}

/**
 * Copies what can be read of a damaged database into a new one of the newest schema. The damaged file stays as it is:
 * it is read from a copy.
 */
export function salvage(damaged: string, into: Database.Database): void {
  const copy = `${damaged}.copy`;
  for (const side of SIDES) if (existsSync(damaged + side)) copyFileSync(damaged + side, copy + side);
  let from: Database.Database | undefined;
  try {
    from = new Database(copy);
    const source = from;
    // Parts of a message may be there without it; what belongs to nothing is left out at the end.
    into.exec('PRAGMA foreign_keys = OFF');
    const tables = tablesOf(into);
    into.transaction(() => {
      for (const table of tables) copyTable(source, into, table);
      dropOrphans(into, tables);
      joinBranches(into);
    })();
  } finally {
    into.exec('PRAGMA foreign_keys = ON');
    from?.close();
    for (const side of SIDES) rmSync(copy + side, { force: true });
  }
}

interface Table {
  name: string;
  columns: string[];
}

/** In the order in which they were made, so that a table comes after those that it refers to. */
function tablesOf(db: Database.Database): Table[] {
  const names = db
    .prepare(
      `SELECT s.name FROM sqlite_schema s JOIN pragma_table_list l ON l.name = s.name AND l.schema = 'main'
       WHERE l.type = 'table' AND s.name NOT LIKE 'sqlite_%' ORDER BY s.rowid`,
    )
    .all() as { name: string }[];
  return names.map(({ name }) => ({ name, columns: columnsOf(db, name).columns }));
}

/** `key`: the columns of its primary key, in order; `texts`: those that hold text. */
function columnsOf(db: Database.Database, table: string) {
  const columns = db.prepare(`PRAGMA table_info("${table}")`).all() as {
    name: string;
    type: string;
    pk: number;
  }[];
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  return {
    key: key.map(({ name }) => name),
    columns: columns.map(({ name }) => name),
    texts: new Set(columns.flatMap(({ name, type }) => (type === 'TEXT' ? name : []))),
  };
}

/** Row by row, so that what cannot be read takes nothing along. */
function copyTable(from: Database.Database, into: Database.Database, table: Table): void {
  // An older version may not have every column, and another key.
  const found = readable(() => columnsOf(from, table.name));
  if (!found || found.key.length === 0) return;
  const { key, columns, texts } = found;
  const known = table.columns.filter(name => columns.includes(name));
  const list = (names: string[]) => names.map(name => `"${name}"`).join(', ');
  // Text as bytes: the driver ends the whole program over text that is none.
  const bytes = (names: string[]) =>
    names.map(name => (texts.has(name) ? `CAST("${name}" AS BLOB)` : `"${name}"`)).join(', ');
  const insert = into.prepare(
    `INSERT OR IGNORE INTO "${table.name}" (${list(known)}) VALUES (${known.map(() => '?').join(', ')})`,
  );
  const where = key.map(name => `"${name}" = ?`).join(' AND ');
  const row = from.prepare(`SELECT ${bytes(known)} FROM "${table.name}" WHERE ${where}`).raw();
  const put = (found: unknown): void => {
    const values = asText(found, known, texts);
    if (values) readable(() => insert.run(...values));
  };
  const copy = (found: unknown): void => {
    const id = asText(found, key, texts);
    if (id) put(readable(() => row.get(...id)));
  };
  // From both ends, until what is damaged is in the way: by the key, and by the place in the file where there is one.
  for (const direction of ['ASC', 'DESC']) {
    const order = key.map(name => `"${name}" ${direction}`).join(', ');
    readable(() => {
      const keys = from.prepare(`SELECT ${bytes(key)} FROM "${table.name}" ORDER BY ${order}`).raw();
      for (const found of keys.iterate()) copy(found);
    });
    readable(() => {
      const rows = from
        .prepare(`SELECT ${bytes(known)} FROM "${table.name}" ORDER BY rowid ${direction}`)
        .raw();
      for (const found of rows.iterate()) put(found);
    });
  }
  // Parts of messages in the middle are found by the messages they belong to.
  if (!known.includes('message_id')) return;
  const parts = from.prepare(`SELECT ${bytes(key)} FROM "${table.name}" WHERE message_id = ?`).raw();
  for (const { id } of into.prepare('SELECT id FROM messages').all() as { id: string }[])
    for (const found of (readable(() => parts.all(id)) ?? []) as unknown[]) copy(found);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A row whose text was read as bytes; undefined where that is no text. */
function asText(row: unknown, columns: readonly string[], texts: ReadonlySet<string>): unknown[] | undefined {
  if (!Array.isArray(row)) return undefined;
  try {
    return row.map((value, index) =>
      texts.has(columns[index] ?? '') && value instanceof Uint8Array ? utf8.decode(value) : value,
    );
  } catch {
    return undefined;
  }
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    // What a damaged page holds may also be nothing that the new table takes.
    if (isDamage(error) || code.startsWith('SQLITE_CONSTRAINT') || code === 'SQLITE_ERROR') return undefined;
    throw error;
  }
}

function dropOrphans(db: Database.Database, tables: Table[]): void {
  for (const { name } of tables) {
    const references = db.prepare(`PRAGMA foreign_key_list("${name}")`).all() as {
      from: string;
      to: string;
      table: string;
    }[];
    for (const { from, to, table } of references)
      db.exec(`DELETE FROM "${name}" WHERE "${from}" NOT IN (SELECT "${to}" FROM "${table}")`);
  }
}

/** Hangs what has lost the message it followed, or is of a version that kept no such thing, on the one before it. */
function joinBranches(db: Database.Database): void {
  db.exec(`
    UPDATE messages SET parent_id = (
      SELECT p.id FROM messages p
      WHERE p.conversation_id = messages.conversation_id AND p.position < messages.position
      ORDER BY p.position DESC LIMIT 1
    ) WHERE parent_id NOT IN (SELECT id FROM messages)
      OR conversation_id NOT IN (SELECT conversation_id FROM messages WHERE parent_id IS NOT NULL)`);
}
