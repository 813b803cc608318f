import { randomUUID } from 'node:crypto';
import type { Attachment } from '../../shared/attachments.ts';
import type { Block, Conversation, Message } from '../../shared/chat.ts';
import type { ConversationSettings } from '../../shared/conversationSettings.ts';
import { HostError } from '../../shared/errors.ts';
import { Usage } from '../../shared/usage.ts';
import type { Db } from '../database.ts';
import type { Emit } from '../events.ts';
import { abridged } from './abridged.ts';
import { type BlockRow, blockOf, type MessageRow, MessageRows } from './messageRows.ts';

/** What a conversation is called until its first message gives it a name. */
export const NEW_TITLE = 'New conversation';

/**
 * The conversations on disk. The messages of each are a tree, of which one branch is shown and goes to the model. A
 * finished block is written at once, in a row of its own; one that is still growing is kept in memory, so that whoever
 * opens the conversation meanwhile sees it too.
 */
export class Conversations {
  readonly #db: Db;
  readonly #rows: MessageRows;
  readonly #emit: Emit;
  /** Unfinished blocks of the messages that this process is writing: message id -> index -> block. */
  readonly #growing = new Map<string, Map<number, Block>>();

  constructor(db: Db, emit: Emit) {
    this.#db = db;
    this.#rows = new MessageRows(db);
    this.#emit = emit;
  }

  create({ title, settings = {} }: { title?: string; settings?: ConversationSettings } = {}): Conversation {
    const now = Date.now();
    const conversation = {
      id: randomUUID(),
      title: title ?? NEW_TITLE,
      createdAt: now,
      updatedAt: now,
      pinned: false,
      archived: false,
      settings,
    };
    this.#db
      .prepare(
        `INSERT INTO conversations (id, title, title_from, created_at, updated_at, settings)
         VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(
        conversation.id,
        conversation.title,
        title === undefined ? 'new' : 'person',
        now,
        now,
        JSON.stringify(settings),
      );
    this.#emit('conversation.changed', conversation);
    return conversation;
  }

  /** @throws HostError `conversation.notFound`, as every method that names one. */
  rename(id: string, title: string, by: 'person' | 'model' = 'person'): void {
    this.get(id);
    this.#db.prepare('UPDATE conversations SET title = ?, title_from = ? WHERE id = ?').run(title, by, id);
    this.#emit('conversation.changed', this.get(id));
  }

  /** Pins it, puts it into the archive or into a folder, or the opposite; null: into no folder. */
  mark(id: string, marks: Marks): void {
    const { pinned, archived, folder } = this.get(id);
    this.#db
      .prepare('UPDATE conversations SET pinned = ?, archived = ?, folder = ? WHERE id = ?')
      .run(
        Number(marks.pinned ?? pinned),
        Number(marks.archived ?? archived),
        marks.folder === undefined ? (folder ?? null) : marks.folder,
        id,
      );
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

  /** The branch that is shown, oldest first, with the blocks that are being written right now. */
  messages(conversationId: string): Message[] {
    this.get(conversationId);
    const leaf = this.#rows.leaf(conversationId);
    return leaf === undefined ? [] : this.read(this.#rows.branch(leaf));
  }

  /** Those of every branch; one stands behind the one that it follows. */
  allMessages(conversationId: string): Message[] {
    this.get(conversationId);
    return this.read(this.#rows.places(conversationId).map(({ id }) => id));
  }

  /** @throws HostError `message.notFound` */
  message(conversationId: string, messageId: string): Message {
    this.get(conversationId);
    const [message] = this.read([messageId]);
    if (message?.conversationId !== conversationId)
      throw new HostError('message.notFound', 'This message no longer exists.');
    return message;
  }

  /** Those of these messages that there are, in the given order, with the blocks that are being written right now. */
  read(ids: readonly string[]): Message[] {
    return this.#read(ids, { whole: true });
  }

  /** The same, as they are shown: of results that are too large for that, the beginning. */
  readShown(ids: readonly string[]): Message[] {
    return this.#read(ids, { whole: false });
  }

  /** Tells everybody of a conversation that others have put into the database. */
  tell(id: string): void {
    this.#emit('conversation.changed', this.get(id));
  }

  /** From the first message to this one, on whatever branch that is. @throws HostError `message.notFound` */
  path(conversationId: string, messageId: string): Message[] {
    this.message(conversationId, messageId);
    return this.read(this.#rows.branch(messageId));
  }

  /** Stores what a person wrote; the first message names the conversation, unless the person did. */
  addUserMessage(
    conversationId: string,
    text: string,
    { attachments = [], parentId }: { attachments?: readonly Attachment[] } & Following = {},
  ): Message {
    const words: Block[] = text.trim() === '' ? [] : [{ type: 'text', text }];
    const blocks = [...attachments, ...words];
    const message = this.#add({ conversationId, role: 'user', status: 'complete', blocks }, parentId);
    this.#db
      .prepare("UPDATE conversations SET title = ?, title_from = 'words' WHERE id = ? AND title_from = 'new'")
      .run(titleOf(text || (attachments[0]?.name ?? '')), conversationId);
    this.#emit('conversation.changed', this.get(conversationId));
    return message;
  }

  /** Begins an answer. The object is kept up to date by the methods below; it counts as being written by this process until `finish`. */
  beginAnswer(conversationId: string, model: string, { parentId }: Following = {}): Message {
    const message = this.#add(
      { conversationId, role: 'assistant', status: 'streaming', model, blocks: [] },
      parentId,
    );
    this.#emit('conversation.changed', this.get(conversationId));
    return message;
  }

  /** Adds or replaces block `index`; a `finished` one is on disk when this returns. */
  setBlock(message: Message, index: number, block: Block, { finished = true } = {}): void {
    message.blocks[index] = block;
    const growing = this.#growing.get(message.id) ?? new Map<number, Block>();
    this.#growing.set(message.id, growing);
    if (finished) {
      this.#rows.storeBlock(message.id, index, block);
      growing.delete(index);
    } else {
      growing.set(index, block);
    }
    const { conversationId, id: messageId } = message;
    this.#emit('block.changed', {
      conversationId,
      messageId,
      index,
      block: structuredClone(abridged(block)),
    });
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

  /** What a request took that gave the conversation no message; one that was deleted meanwhile counts nothing. */
  addUsage(id: string, model: string, usage: Usage): void {
    this.#db
      .prepare(`INSERT INTO other_usages (conversation_id, model, usage)
         SELECT id, ?, ? FROM conversations WHERE id = ?`)
      .run(model, JSON.stringify(usage), id);
  }

  /** Of every request for the conversation, those included whose answers are not shown any more. */
  usages(id: string): { model: string | undefined; usage: Usage }[] {
    const rows = this.#db
      .prepare(
        `SELECT model, usage FROM messages WHERE conversation_id = ?1 AND usage IS NOT NULL
         UNION ALL
         SELECT b.json ->> 'model', b.json -> 'usage' FROM blocks b JOIN messages m ON m.id = b.message_id
         WHERE m.conversation_id = ?1 AND b.json ->> 'type' = 'summary' AND b.json -> 'usage' IS NOT NULL
         UNION ALL
         SELECT model, usage FROM other_usages WHERE conversation_id = ?1`,
      )
      .all(id) as { model: string | null; usage: string }[];
    return rows.map(({ model, usage }) => ({
      model: model ?? undefined,
      usage: Usage.parse(JSON.parse(usage)),
    }));
  }

  finish(message: Message, status: 'complete' | 'incomplete', stopReason?: string): void {
    message.status = status;
    if (stopReason !== undefined) message.stopReason = stopReason;
    for (const [index, block] of this.#growing.get(message.id) ?? [])
      this.#rows.storeBlock(message.id, index, block);
    this.#growing.delete(message.id);
    this.#rows.end(message.id, status, stopReason);
    this.#emit('message.changed', onScreen(message));
  }

  /** The names of the tools that were offered last before this answer, on its branch; undefined when it is the first. */
  toolsOfferedBefore(answer: Message): string[] | undefined {
    return this.#rows.tools('offered_tools', this.#rows.branch(answer.id).slice(0, -1));
  }

  setOfferedTools(answer: Message, names: readonly string[]): void {
    this.#rows.setTools('offered_tools', answer.id, names);
  }

  /** The names of the tools that the model has on the branch that is shown, where it searches the others. */
  loadedTools(conversationId: string): string[] | undefined {
    const leaf = this.#rows.leaf(conversationId);
    return leaf === undefined ? undefined : this.#rows.tools('loaded_tools', this.#rows.branch(leaf));
  }

  /** From this answer on. */
  setLoadedTools(answer: Message, names: readonly string[]): void {
    this.#rows.setTools('loaded_tools', answer.id, names);
  }

  #add(
    message: Omit<Message, 'id' | 'createdAt' | 'parentId' | 'versions'>,
    parentId = this.#rows.leaf(message.conversationId) ?? null,
  ): Message {
    const id = randomUUID();
    const added: Message = {
      id,
      ...message,
      ...(parentId === null ? {} : { parentId }),
      createdAt: Date.now(),
    };
    this.#rows.add(added);
    const versions = this.#rows.following(message.conversationId, parentId);
    if (versions.length > 1) added.versions = versions;
    this.#emit('message.changed', onScreen(added));
    return added;
  }

  #read(ids: readonly string[], { whole }: { whole: boolean }): Message[] {
    const versions = this.#rows.versions(ids);
    const blocks = new Map<string, BlockRow[]>(ids.map(id => [id, []]));
    for (const block of this.#rows.blocks(ids, { whole })) blocks.get(block.message_id)?.push(block);
    return this.#rows
      .list(ids)
      .map(row =>
        toMessage(row, versions.get(row.id) ?? [], this.#withGrowing(row.id, blocks.get(row.id) ?? [])),
      );
  }

  #withGrowing(messageId: string, stored: readonly BlockRow[]): Block[] {
    const growing = this.#growing.get(messageId);
    if (!growing?.size) return stored.map(row => blockOf(row));
    const blocks = new Map(stored.map(row => [row.position, blockOf(row)]));
    for (const [index, block] of growing) blocks.set(index, structuredClone(block));
    return [...blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
  }
}

interface Marks {
  pinned?: boolean | undefined;
  archived?: boolean | undefined;
  folder?: string | null | undefined;
}

/** What a new message follows; without it the end of the branch that is shown, and null: nothing. */
interface Following {
  parentId?: string | null | undefined;
}

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
  folder: string | null;
  settings: string;
}

function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    title: row.title,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    pinned: row.pinned === 1,
    archived: row.archived === 1,
    ...(row.folder === null ? {} : { folder: row.folder }),
    settings: JSON.parse(row.settings) as ConversationSettings,
  };
}

/** A copy as it is told: without most of what is too large. */
function onScreen(message: Message): Message {
  return structuredClone({ ...message, blocks: message.blocks.map(abridged) });
}

function toMessage(row: MessageRow, versions: string[], blocks: Block[]): Message {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    ...(row.parent_id === null ? {} : { parentId: row.parent_id }),
    ...(versions.length > 1 ? { versions } : {}),
    role: row.role,
    blocks,
    createdAt: row.created_at,
    status: row.status,
    ...(row.model === null ? {} : { model: row.model }),
    ...(row.stop_reason === null ? {} : { stopReason: row.stop_reason }),
    ...(row.usage === null ? {} : { usage: Usage.parse(JSON.parse(row.usage)) }),
  };
}
