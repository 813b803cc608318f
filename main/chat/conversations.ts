import { randomUUID } from 'node:crypto';
import type { Attachment } from '../../shared/attachments.ts';
import type { Block, Conversation, Message } from '../../shared/chat.ts';
import type { ConversationSettings } from '../../shared/conversationSettings.ts';
import { HostError } from '../../shared/errors.ts';
import { Usage } from '../../shared/usage.ts';
import type { Db } from '../database.ts';
import type { Emit } from '../events.ts';
import { isWriterGone } from './writer.ts';

/** What a conversation is called until its first message gives it a name. */
export const NEW_TITLE = 'New conversation';

/**
 * The conversations on disk. A finished block is written at once, in a row of its own; one that is still growing is
 * kept in memory, so that whoever opens the conversation meanwhile sees it too.
 */
export class Conversations {
  readonly #db: Db;
  readonly #emit: Emit;
  /** Unfinished blocks of the messages that this process is writing: message id -> index -> block. */
  readonly #growing = new Map<string, Map<number, Block>>();

  constructor(db: Db, emit: Emit) {
    this.#db = db;
    this.#emit = emit;
  }

  create(): Conversation {
    const now = Date.now();
    const conversation = {
      id: randomUUID(),
      title: NEW_TITLE,
      createdAt: now,
      updatedAt: now,
      pinned: false,
      archived: false,
      settings: {},
    };
    this.#db
      .prepare('INSERT INTO conversations (id, title, created_at, updated_at) VALUES (?, ?, ?, ?)')
      .run(conversation.id, conversation.title, now, now);
    this.#emit('conversation.changed', conversation);
    return conversation;
  }

  /** @throws HostError `conversation.notFound`, as every method that names one. */
  rename(id: string, title: string, by: 'person' | 'model' = 'person'): void {
    this.get(id);
    this.#db.prepare('UPDATE conversations SET title = ?, title_from = ? WHERE id = ?').run(title, by, id);
    this.#emit('conversation.changed', this.get(id));
  }

  /** Pins it or puts it into the archive, or the opposite. */
  mark(id: string, marks: { pinned?: boolean | undefined; archived?: boolean | undefined }): void {
    const { pinned, archived } = this.get(id);
    this.#db
      .prepare('UPDATE conversations SET pinned = ?, archived = ? WHERE id = ?')
      .run(Number(marks.pinned ?? pinned), Number(marks.archived ?? archived), id);
    this.#emit('conversation.changed', this.get(id));
  }

  /** Who named it, if anybody has yet; undefined when it no longer exists. */
  titleOrigin(id: string): 'new' | 'words' | 'model' | 'person' | undefined {
    const row = this.#db.prepare('SELECT title_from FROM conversations WHERE id = ?').get(id) as
      | { title_from: 'new' | 'words' | 'model' | 'person' }
      | undefined;
    return row?.title_from;
  }

  /** Replaces what holds for this conversation alone. */
  configure(id: string, settings: ConversationSettings): void {
    this.get(id);
    this.#db.prepare('UPDATE conversations SET settings = ? WHERE id = ?').run(JSON.stringify(settings), id);
    this.#emit('conversation.changed', this.get(id));
  }

  delete(id: string): void {
    this.get(id);
    this.#db.prepare('DELETE FROM conversations WHERE id = ?').run(id);
    this.#emit('conversation.removed', { id });
  }

  /** The most recently used first. */
  list(): Conversation[] {
    const rows = this.#db.prepare('SELECT * FROM conversations ORDER BY updated_at DESC, rowid DESC').all();
    return (rows as ConversationRow[]).map(toConversation);
  }

  get(id: string): Conversation {
    const row = this.#db.prepare('SELECT * FROM conversations WHERE id = ?').get(id);
    if (!row) throw new HostError('conversation.notFound', 'This conversation no longer exists.');
    return toConversation(row as ConversationRow);
  }

  /** Oldest first, with the blocks that are being written right now. */
  messages(conversationId: string): Message[] {
    this.get(conversationId);
    const rows = this.#db
      .prepare('SELECT * FROM messages WHERE conversation_id = ? ORDER BY position')
      .all(conversationId) as MessageRow[];
    const blocks = this.#db
      .prepare(
        `SELECT b.message_id, b.position, b.json FROM blocks b JOIN messages m ON m.id = b.message_id
         WHERE m.conversation_id = ? ORDER BY b.position`,
      )
      .all(conversationId) as BlockRow[];
    const byMessage = new Map<string, BlockRow[]>(rows.map(row => [row.id, []]));
    for (const block of blocks) byMessage.get(block.message_id)?.push(block);
    return rows.map(row => toMessage(row, this.#allBlocks(row.id, byMessage.get(row.id) ?? [])));
  }

  /** Stores what a person wrote; the first message names the conversation, unless the person did. */
  addUserMessage(conversationId: string, text: string, attachments: readonly Attachment[] = []): Message {
    const words: Block[] = text.trim() === '' ? [] : [{ type: 'text', text }];
    const message = this.#add(conversationId, 'user', 'complete', undefined, [...attachments, ...words]);
    this.#db
      .prepare("UPDATE conversations SET title = ?, title_from = 'words' WHERE id = ? AND title_from = 'new'")
      .run(titleOf(text || (attachments[0]?.name ?? '')), conversationId);
    this.#emit('conversation.changed', this.get(conversationId));
    return message;
  }

  /** Begins an answer. The object is kept up to date by the methods below; it counts as being written by this process until `finish`. */
  beginAnswer(conversationId: string, model: string): Message {
    const message = this.#add(conversationId, 'assistant', 'streaming', model, []);
    this.#emit('conversation.changed', this.get(conversationId));
    return message;
  }

  /** Adds or replaces block `index`; a `finished` one is on disk when this returns. */
  setBlock(message: Message, index: number, block: Block, { finished = true } = {}): void {
    message.blocks[index] = block;
    const growing = this.#growing.get(message.id) ?? new Map<number, Block>();
    this.#growing.set(message.id, growing);
    if (finished) {
      this.#store(message.id, index, block);
      growing.delete(index);
    } else {
      growing.set(index, block);
    }
    const { conversationId, id: messageId } = message;
    this.#emit('block.changed', { conversationId, messageId, index, block: structuredClone(block) });
  }

  /** Text for a block that is still growing. `input` is for display only: it becomes arguments when it is whole. */
  appendToBlock(message: Message, index: number, kind: 'text' | 'thinking' | 'input', text: string): void {
    const block = message.blocks[index];
    if (block?.type === kind) block.text += text;
    const { conversationId, id: messageId } = message;
    this.#emit('block.delta', { conversationId, messageId, index, kind, text });
  }

  /** What the answer's request took; told with its next change. */
  setUsage(message: Message, usage: Usage): void {
    message.usage = usage;
    this.#db.prepare('UPDATE messages SET usage = ? WHERE id = ?').run(JSON.stringify(usage), message.id);
  }

  /** Every answer that the conversation has had, those included that are not shown any more. */
  usages(id: string): { model: string | undefined; usage: Usage }[] {
    const rows = this.#db
      .prepare('SELECT model, usage FROM messages WHERE conversation_id = ? AND usage IS NOT NULL')
      .all(id) as { model: string | null; usage: string }[];
    return rows.map(({ model, usage }) => ({
      model: model ?? undefined,
      usage: Usage.parse(JSON.parse(usage)),
    }));
  }

  finish(message: Message, status: 'complete' | 'incomplete', stopReason?: string): void {
    message.status = status;
    if (stopReason !== undefined) message.stopReason = stopReason;
    for (const [index, block] of this.#growing.get(message.id) ?? []) this.#store(message.id, index, block);
    this.#growing.delete(message.id);
    this.#db
      .prepare('UPDATE messages SET status = ?, stop_reason = ?, writer_pid = NULL WHERE id = ?')
      .run(status, stopReason ?? null, message.id);
    this.#emit('message.changed', structuredClone(message));
  }

  /** The names of the tools that the last request of this conversation offered; undefined before the first. */
  offeredTools(id: string): string[] | undefined {
    const row = this.#db.prepare('SELECT offered_tools FROM conversations WHERE id = ?').get(id) as
      | { offered_tools: string | null }
      | undefined;
    return row?.offered_tools ? (JSON.parse(row.offered_tools) as string[]) : undefined;
  }

  setOfferedTools(id: string, names: readonly string[]): void {
    this.#db
      .prepare('UPDATE conversations SET offered_tools = ? WHERE id = ?')
      .run(JSON.stringify(names), id);
  }

  /**
   * At the start: what a process was writing when it died is marked as cut, and calls that had not ended as
   * interrupted. Messages whose writer lives are left alone: app and command line may share a database.
   */
  recoverInterrupted(): void {
    const rows = this.#db.prepare("SELECT * FROM messages WHERE status = 'streaming'").all() as MessageRow[];
    for (const row of rows) {
      if (isWriterGone(row.writer_pid, row.created_at)) this.#recover(row);
    }
  }

  /**
   * Takes over the tasks that no living process waits for: their messages, and where in them they are. Called at the
   * start, after `recoverInterrupted`.
   */
  adoptTasks(): { message: Message; index: number }[] {
    const rows = this.#db
      .prepare(
        `SELECT t.*, m.conversation_id FROM running_tasks t JOIN messages m ON m.id = t.message_id
         WHERE m.status <> 'streaming'`,
      )
      .all() as TaskRow[];
    return rows.flatMap(row => {
      if (!isWriterGone(row.owner_pid, row.owned_since)) return [];
      const message = this.messages(row.conversation_id).find(({ id }) => id === row.message_id);
      const block = message?.blocks[row.position];
      if (!message || !block) return [];
      this.#store(message.id, row.position, block);
      return [{ message, index: row.position }];
    });
  }

  #recover(row: MessageRow): void {
    const blocks = this.#db
      .prepare('SELECT message_id, position, json FROM blocks WHERE message_id = ?')
      .all(row.id) as BlockRow[];
    this.#db.transaction(() => {
      for (const { position, json } of blocks) {
        const block = JSON.parse(json) as Block;
        if (block.type !== 'toolCall' || !unended.has(block.status) || isTask(block)) continue;
        this.#db
          .prepare('UPDATE blocks SET json = ? WHERE message_id = ? AND position = ?')
          .run(JSON.stringify({ ...block, status: 'interrupted' }), row.id, position);
      }
      this.#db
        .prepare("UPDATE messages SET status = 'incomplete', writer_pid = NULL WHERE id = ?")
        .run(row.id);
    })();
    const recovered = this.messages(row.conversation_id).find(message => message.id === row.id);
    if (recovered) this.#emit('message.changed', recovered);
  }

  #add(
    conversationId: string,
    role: Message['role'],
    status: Message['status'],
    model: string | undefined,
    blocks: Block[],
  ): Message {
    const createdAt = Date.now();
    const message: Message = {
      id: randomUUID(),
      conversationId,
      role,
      blocks,
      createdAt,
      status,
      ...(model === undefined ? {} : { model }),
    };
    this.#db.transaction(() => {
      this.#db
        .prepare(
          `INSERT INTO messages (id, conversation_id, position, role, status, model, created_at, writer_pid)
           SELECT ?, ?, COALESCE(MAX(position) + 1, 0), ?, ?, ?, ?, ? FROM messages WHERE conversation_id = ?`,
        )
        .run(
          message.id,
          conversationId,
          role,
          status,
          model ?? null,
          createdAt,
          status === 'streaming' ? process.pid : null,
          conversationId,
        );
      blocks.forEach((block, index) => {
        this.#store(message.id, index, block);
      });
      // Later than all others also within a millisecond, or after the clock was set back: the list goes by it.
      this.#db
        .prepare(
          `UPDATE conversations SET updated_at =
           MAX(?, (SELECT COALESCE(MAX(updated_at) + 1, 0) FROM conversations WHERE id <> ?)) WHERE id = ?`,
        )
        .run(createdAt, conversationId, conversationId);
    })();
    this.#emit('message.changed', structuredClone(message));
    return message;
  }

  #store(messageId: string, index: number, block: Block): void {
    this.#db
      .prepare(
        `INSERT INTO blocks (message_id, position, json) VALUES (?, ?, ?)
         ON CONFLICT (message_id, position) DO UPDATE SET json = excluded.json`,
      )
      .run(messageId, index, JSON.stringify(block));
    if (block.type !== 'toolCall' || !block.task) return;
    if (isTask(block))
      this.#db
        .prepare('INSERT OR REPLACE INTO running_tasks VALUES (?, ?, ?, ?)')
        .run(messageId, index, process.pid, Date.now());
    else
      this.#db
        .prepare('DELETE FROM running_tasks WHERE message_id = ? AND position = ?')
        .run(messageId, index);
  }

  #allBlocks(messageId: string, stored: readonly BlockRow[]): Block[] {
    const blocks = new Map(stored.map(row => [row.position, JSON.parse(row.json) as Block]));
    for (const [index, block] of this.#growing.get(messageId) ?? [])
      blocks.set(index, structuredClone(block));
    return [...blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
  }
}

/** The server goes on with it: it can be waited for again. */
function isTask(block: Block): boolean {
  return block.type === 'toolCall' && block.status === 'running' && block.task !== undefined;
}

const unended = new Set(['pending', 'waiting', 'running']);

/** The first words of a message, on one line. */
function titleOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  if (line.length <= 60) return line || NEW_TITLE;
  // Never through the middle of a character that takes two units.
  const cut = line.slice(0, 60).replace(/[\uD800-\uDBFF]$/, '');
  const lastSpace = cut.lastIndexOf(' ');
  return `${lastSpace > 30 ? cut.slice(0, lastSpace) : cut}…`;
}

interface ConversationRow {
  id: string;
  title: string;
  created_at: number;
  updated_at: number;
  pinned: number;
  archived: number;
  settings: string;
}

interface MessageRow {
  id: string;
  conversation_id: string;
  role: Message['role'];
  status: Message['status'];
  model: string | null;
  stop_reason: string | null;
  usage: string | null;
  created_at: number;
  writer_pid: number | null;
}

interface TaskRow {
  message_id: string;
  conversation_id: string;
  position: number;
  owner_pid: number;
  owned_since: number;
}

interface BlockRow {
  message_id: string;
  position: number;
  json: string;
}

function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    title: row.title,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    pinned: row.pinned === 1,
    archived: row.archived === 1,
    settings: JSON.parse(row.settings) as ConversationSettings,
  };
}

function toMessage(row: MessageRow, blocks: Block[]): Message {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    role: row.role,
    blocks,
    createdAt: row.created_at,
    status: row.status,
    ...(row.model === null ? {} : { model: row.model }),
    ...(row.stop_reason === null ? {} : { stopReason: row.stop_reason }),
    ...(row.usage === null ? {} : { usage: Usage.parse(JSON.parse(row.usage)) }),
  };
}
