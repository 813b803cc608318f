import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { tempDir } from '../e2e/support/host.ts';
import type { ErrorInfo } from '../shared/errors.ts';
import { Conversations } from './chat/conversations.ts';
import { type Db, openDatabase } from './database.ts';
import { migrations } from './migrations.ts';

const PAGE = 4096;

let dir: string;
let file: string;
beforeEach(async () => {
  const temp = await tempDir();
  onTestFinished(temp.remove);
  dir = temp.path;
  file = join(dir, 'parley.db');
});

/** Opens it; closed before the folder goes. */
function open(): { db: Db; problems: ErrorInfo[] } {
  const problems: ErrorInfo[] = [];
  const db = openDatabase(file, problem => problems.push(problem));
  onTestFinished(() => void (db.open && db.close()));
  return { db, problems };
}

/** A file as a Parley that has ended leaves it: this process keeps what it has opened itself. */
function leave(make: (db: Db) => void, db: Db): void {
  make(db);
  db.prepare('VACUUM INTO ?').run(file);
  db.close();
}

/** So many conversations, each of a message of some length. */
function fill(count: number): void {
  leave(db => {
    const conversations = new Conversations(db, () => {});
    for (let nth = 0; nth < count; nth++) {
      const { id } = conversations.create();
      conversations.addUserMessage(id, `Number ${nth}. ${'lorem ipsum '.repeat(100)}`);
    }
  }, openDatabase(':memory:'));
}

function texts(db: Db): string[] {
  const conversations = new Conversations(db, () => {});
  return conversations
    .list()
    .flatMap(({ id }) => conversations.messages(id))
    .flatMap(({ blocks }) => blocks.map(block => (block.type === 'text' ? block.text : '')));
}

describe('a database', () => {
  it('is opened again as it was', () => {
    fill(3);
    const { db, problems } = open();
    expect(texts(db)).toHaveLength(3);
    expect(problems).toEqual([]);
  });

  it('that is damaged in the middle is set aside untouched, and the rest of it read', () => {
    fill(200);
    const damaged = readFileSync(file);
    const middle = Math.floor(damaged.length / 2 / PAGE) * PAGE;
    damaged.fill(0xab, middle, middle + 4 * PAGE);
    writeFileSync(file, damaged);
    const { db, problems } = open();
    expect(problems).toMatchObject([{ code: 'database.damaged' }]);
    expect(texts(db).length).toBeGreaterThan(50);
    expect(db.prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' });
    expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    const [kept = ''] = readdirSync(dir).filter(name => name.includes('.damaged-'));
    expect(problems[0]?.hint).toContain(join(dir, kept));
    expect(readFileSync(join(dir, kept)).equals(damaged)).toBe(true);
    expect(open().problems).toEqual([]);
  });

  it('that has lost a message in the middle of a conversation shows what came before and after', () => {
    leave(db => {
      const conversations = new Conversations(db, () => {});
      const { id } = conversations.create();
      for (let nth = 0; nth < 400; nth++)
        conversations.addUserMessage(id, `Number ${nth}. ${'lorem ipsum '.repeat(100)}`);
      db.prepare('DELETE FROM messages WHERE position = 200').run();
    }, openDatabase(':memory:'));
    const damaged = readFileSync(file);
    const middle = Math.floor(damaged.length / 2 / PAGE) * PAGE;
    writeFileSync(file, damaged.fill(0xab, middle, middle + PAGE));
    const { db, problems } = open();
    expect(problems).toMatchObject([{ code: 'database.damaged' }]);
    const { count } = db.prepare('SELECT count(*) AS count FROM messages').get() as { count: number };
    expect(count).toBeGreaterThan(200);
    const conversations = new Conversations(db, () => {});
    const shown = conversations.list().flatMap(({ id }) => conversations.messages(id));
    expect(shown).toHaveLength(count);
  });

  it.each([
    ['is something else', () => 'This is not a database at all. '.repeat(500)],
    ['was cut after its first page', () => readFileSync(file).subarray(0, PAGE)],
    ['was cut within its first page', () => readFileSync(file).subarray(0, 1000)],
  ])('that %s is set aside, and a new one opened', (_what, content) => {
    fill(20);
    writeFileSync(file, content());
    const { db, problems } = open();
    expect(problems).toMatchObject([{ code: 'database.damaged' }]);
    new Conversations(db, () => {}).create();
    expect(readdirSync(dir).some(name => name.includes('.damaged-'))).toBe(true);
  });

  it('of a newer Parley is left alone', () => {
    leave(db => db.exec('PRAGMA user_version = 1000'), openDatabase(':memory:'));
    const before = readFileSync(file);
    expect(open).toThrow(expect.objectContaining({ code: 'database.newer' }));
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('of an older Parley is copied before it is changed', () => {
    leave(db => {
      db.exec(migrations[0] as string);
      db.exec(`
        INSERT INTO conversations VALUES ('c', 'Old', 1, 1, NULL);
        INSERT INTO messages VALUES ('m', 'c', 0, 'user', 'complete', NULL, NULL, 1, NULL);
        INSERT INTO messages VALUES ('n', 'c', 1, 'assistant', 'complete', 'x', 'end_turn', 2, NULL);
        INSERT INTO blocks VALUES ('m', 0, '{"type":"text","text":"Grüße"}');
        INSERT INTO blocks VALUES ('n', 0, '{"type":"text","text":"Danke"}');
        PRAGMA user_version = 1`);
    }, new Database(':memory:'));
    expect(texts(open().db)).toEqual(['Grüße', 'Danke']);
    expect(versionOf(open().db)).toBeGreaterThan(1);
    const copy = new Database(`${file}.version-1`);
    onTestFinished(() => void copy.close());
    expect(versionOf(copy)).toBe(1);
    expect(copy.prepare('SELECT title FROM conversations').raw().all()).toEqual([['Old']]);
  });
});

function versionOf(db: Db): number {
  return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}
