import type { Block, Message } from '../../shared/chat.ts';
import { type Db, inTransaction } from '../database.ts';
import { abridged, unabridged } from './abridged.ts';
import type { Place } from './messageTree.ts';

export interface MessageRow {
  id: string;
  conversation_id: string;
  parent_id: string | null;
  role: Message['role'];
  status: Message['status'];
  model: string | null;
  stop_reason: string | null;
  usage: string | null;
  created_at: number;
  /** The process that is writing it. */
  writer_pid: number | null;
}

export interface BlockRow {
  message_id: string;
  position: number;
  json: string;
  /** The whole result, where it was asked for and the block holds only its beginning. */
  result: string | null;
}

/** The block of a row. */
export function blockOf({ json, result }: BlockRow): Block {
  const block = JSON.parse(json) as Block;
  return block.type === 'toolCall' && result !== null ? unabridged(block, JSON.parse(result)) : block;
}

/** The messages on disk: a row for each, and one for each of their blocks. */
export class MessageRows {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Those of these messages that there are, in the given order. */
  list(messageIds: readonly string[]): MessageRow[] {
    return this.#db
      .prepare('SELECT m.* FROM json_each(?) ids JOIN messages m ON m.id = ids.value ORDER BY ids.key')
      .all(JSON.stringify(messageIds)) as MessageRow[];
  }

  /**
   * The ids of the branch that ends with a message, oldest first, and of that only the `last` so many: these are read
   * backwards from the end, however long it is.
   */
  branch(end: string, last = Number.MAX_SAFE_INTEGER): string[] {
    const rows = this.#db
      .prepare(
        `WITH RECURSIVE branch (id, parent_id) AS (
           SELECT id, parent_id FROM messages WHERE id = ?
           UNION ALL SELECT m.id, m.parent_id FROM branch JOIN messages m ON m.id = branch.parent_id
           LIMIT ?
         ) SELECT id FROM branch`,
      )
      .all(end, last) as { id: string }[];
    return rows.map(({ id }) => id).reverse();
  }

  /** All messages in the place of each of these, itself among them, the oldest first. */
  versions(messageIds: readonly string[]): Map<string, string[]> {
    const rows = this.#db
      .prepare(
        `SELECT m.id, version.id AS version FROM json_each(?) ids JOIN messages m ON m.id = ids.value
         JOIN messages version
           ON version.conversation_id = m.conversation_id AND version.parent_id IS m.parent_id
         ORDER BY version.position`,
      )
      .all(JSON.stringify(messageIds)) as { id: string; version: string }[];
    const versions = new Map<string, string[]>(messageIds.map(id => [id, []]));
    for (const { id, version } of rows) versions.get(id)?.push(version);
    return versions;
  }

  places(conversationId: string): Place[] {
    return this.#db
      .prepare('SELECT id, parent_id AS parentId FROM messages WHERE conversation_id = ? ORDER BY position')
      .all(conversationId) as Place[];
  }

  /** The messages that follow this one, or with null nothing, the oldest first. */
  following(conversationId: string, parentId: string | null): string[] {
    return this.#db
      .prepare('SELECT id FROM messages WHERE conversation_id = ? AND parent_id IS ? ORDER BY position')
      .all(conversationId, parentId)
      .map(row => (row as { id: string }).id);
  }

  find(messageId: string): MessageRow | undefined {
    return this.#db.prepare('SELECT * FROM messages WHERE id = ?').get(messageId) as MessageRow | undefined;
  }

  streaming(): MessageRow[] {
    return this.#db.prepare("SELECT * FROM messages WHERE status = 'streaming'").all() as MessageRow[];
  }

  /** The blocks of these messages, each message's in order. `whole`: with all that is kept beside them. */
  blocks(messageIds: readonly string[], { whole }: { whole: boolean }): BlockRow[] {
    const [result, join] = whole
      ? ['large.json', 'LEFT JOIN large_results large ON large.block_id = b.id']
      : ['NULL', ''];
    return this.#db
      .prepare(
        `SELECT b.message_id, b.position, b.json, ${result} AS result
         FROM json_each(?) ids JOIN blocks b ON b.message_id = ids.value ${join}
         ORDER BY b.message_id, b.position`,
      )
      .all(JSON.stringify(messageIds)) as BlockRow[];
  }

  /** Of these messages those blocks in which a person can read something; each message's in order. */
  readableBlocks(messageIds: readonly string[]): BlockRow[] {
    return this.#db
      .prepare(
        `SELECT b.message_id, b.position, b.json, large.json AS result
         FROM json_each(?) ids JOIN blocks b ON b.message_id = ids.value
         LEFT JOIN large_results large ON large.block_id = b.id
         WHERE b.json ->> 'type' IN ('text', 'thinking', 'summary', 'notice', 'toolCall') ORDER BY b.position`,
      )
      .all(JSON.stringify(messageIds)) as BlockRow[];
  }

  /** Puts a message, and its blocks, at the end of the branch that is shown, which ends with it from now on. */
  add(message: Message): void {
    const { id, conversationId, parentId, role, status, model, createdAt } = message;
    inTransaction(this.#db, () => {
      this.#db
        .prepare(
          `INSERT INTO messages (id, conversation_id, parent_id, position, role, status, model, created_at, writer_pid)
           SELECT ?, ?, ?, COALESCE(MAX(position) + 1, 0), ?, ?, ?, ?, ? FROM messages WHERE conversation_id = ?`,
        )
        .run(
          id,
          conversationId,
          parentId ?? null,
          role,
          status,
          model ?? null,
          createdAt,
          status === 'streaming' ? process.pid : null,
          conversationId,
        );
      message.blocks.forEach((block, index) => {
        this.storeBlock(id, index, block);
      });
      // Later than all others also within a millisecond, or after the clock was set back: the list goes by it.
      this.#db
        .prepare(
          `UPDATE conversations SET leaf_id = ?, updated_at =
           MAX(?, (SELECT COALESCE(MAX(updated_at) + 1, 0) FROM conversations WHERE id <> ?)) WHERE id = ?`,
        )
        .run(id, createdAt, conversationId, conversationId);
    });
  }

  storeBlock(messageId: string, index: number, block: Block): void {
    const kept = abridged(block);
    const { id } = this.#db
      .prepare(
        `INSERT INTO blocks (message_id, position, json) VALUES (?, ?, ?)
         ON CONFLICT (message_id, position) DO UPDATE SET json = excluded.json RETURNING id`,
      )
      .get(messageId, index, JSON.stringify(kept)) as { id: number };
    if (block.type !== 'toolCall') return;
    if (kept !== block)
      this.#db
        .prepare('INSERT OR REPLACE INTO large_results VALUES (?, ?)')
        .run(id, JSON.stringify(block.result));
    if (!block.task) return;
    if (isTask(block))
      this.#db
        .prepare('INSERT OR REPLACE INTO running_tasks VALUES (?, ?, ?, ?)')
        .run(messageId, index, process.pid, Date.now());
    else
      this.#db
        .prepare('DELETE FROM running_tasks WHERE message_id = ? AND position = ?')
        .run(messageId, index);
  }

  /** Nobody writes it any more. */
  end(messageId: string, status: 'complete' | 'incomplete', stopReason: string | undefined): void {
    this.#db
      .prepare('UPDATE messages SET status = ?, stop_reason = ?, writer_pid = NULL WHERE id = ?')
      .run(status, stopReason ?? null, messageId);
  }

  /** Marks it as cut, and its calls that had not ended as interrupted; a task goes on without us. */
  interrupt(messageId: string): void {
    this.#db.transaction(() => {
      for (const row of this.blocks([messageId], { whole: true })) {
        const [block, { position }] = [blockOf(row), row];
        if (block.type === 'toolCall' && unended.has(block.status) && !isTask(block))
          this.storeBlock(messageId, position, { ...block, status: 'interrupted' });
      }
      this.end(messageId, 'incomplete', undefined);
    })();
  }

  /** The last message of the branch that is shown; undefined when there is no message. */
  leaf(conversationId: string): string | undefined {
    const row = this.#db
      .prepare(
        `SELECT COALESCE(
           (SELECT id FROM messages WHERE id = c.leaf_id),
           (SELECT id FROM messages WHERE conversation_id = c.id ORDER BY position DESC LIMIT 1)
         ) AS id FROM conversations c WHERE c.id = ?`,
      )
      .get(conversationId) as { id: string | null } | undefined;
    return row?.id ?? undefined;
  }

  setLeaf(conversationId: string, messageId: string | undefined): void {
    this.#db
      .prepare('UPDATE conversations SET leaf_id = ? WHERE id = ?')
      .run(messageId ?? null, conversationId);
  }

  delete(messageIds: readonly string[]): void {
    this.#db
      .prepare('DELETE FROM messages WHERE id IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(messageIds));
  }

  /** The tasks that servers go on with, of messages that nobody writes any more. */
  tasks(): { message_id: string; position: number; owner_pid: number; owned_since: number }[] {
    return this.#db
      .prepare(
        "SELECT t.* FROM running_tasks t JOIN messages m ON m.id = t.message_id WHERE m.status <> 'streaming'",
      )
      .all() as ReturnType<MessageRows['tasks']>;
  }

  /** The names of the tools that the last of these messages has on record that has any. */
  tools(which: ToolsColumn, messageIds: readonly string[]): string[] | undefined {
    const row = this.#db
      .prepare(
        `SELECT ${which} AS names FROM messages WHERE id IN (SELECT value FROM json_each(?))
         AND ${which} IS NOT NULL ORDER BY position DESC LIMIT 1`,
      )
      .get(JSON.stringify(messageIds)) as { names: string } | undefined;
    return row && (JSON.parse(row.names) as string[]);
  }

  copyTools(from: string, to: string): void {
    this.#db
      .prepare(
        `UPDATE messages SET (offered_tools, loaded_tools) =
         (SELECT offered_tools, loaded_tools FROM messages WHERE id = ?) WHERE id = ?`,
      )
      .run(from, to);
  }

  setTools(which: ToolsColumn, messageId: string, names: readonly string[]): void {
    this.#db.prepare(`UPDATE messages SET ${which} = ? WHERE id = ?`).run(JSON.stringify(names), messageId);
  }
}

/** offered: all that could be used. loaded: those that the model was given, where it searches the others. */
type ToolsColumn = 'offered_tools' | 'loaded_tools';

const unended = new Set(['pending', 'waiting', 'running']);

/** The server goes on with it: it can be waited for again. */
function isTask(block: Block): boolean {
  return block.type === 'toolCall' && block.status === 'running' && block.task !== undefined;
}
