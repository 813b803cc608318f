import { randomUUID } from 'node:crypto';
import type { Conversations } from '../chat/conversations.ts';
import { copiedBlock } from '../chat/copiedBlock.ts';
import { MessageRows } from '../chat/messageRows.ts';
import { type Db, inTransaction } from '../database.ts';
import { toMarkdown } from './markdown.ts';
import { type PortableConversation, type PortableMessage, toPortableFile } from './portable.ts';

/** Takes conversations out of the database as files, and puts them into it. */
export class Archive {
  readonly #db: Db;
  readonly #rows: MessageRows;
  readonly #conversations: Conversations;

  constructor(db: Db, conversations: Conversations) {
    this.#db = db;
    this.#rows = new MessageRows(db);
    this.#conversations = conversations;
  }

  /** A file that `readImport` reads back. @throws HostError `conversation.notFound` */
  toJson(ids: readonly string[]): string {
    return toPortableFile(ids.map(id => this.#take(id)));
  }

  /** To be read: the branch that is shown. @throws HostError `conversation.notFound` */
  toMarkdown(ids: readonly string[]): string {
    return ids
      .map(id =>
        toMarkdown(this.#conversations.get(id).title, this.#conversations.messages(id).map(toPortable)),
      )
      .join('\n---\n\n');
  }

  /** Puts them beside those that are there, all or none; their ids. */
  add(conversations: readonly PortableConversation[]): string[] {
    const ids = inTransaction(this.#db, () => conversations.map(one => this.#put(one)));
    for (const id of ids) this.#conversations.tell(id);
    return ids;
  }

  #take(id: string): PortableConversation {
    const { title, createdAt, updatedAt, pinned, archived, folder, settings } = this.#conversations.get(id);
    const messages = this.#conversations.allMessages(id);
    const shown = this.#rows.leaf(id);
    return {
      title,
      createdAt,
      updatedAt,
      pinned,
      archived,
      ...(folder === undefined ? {} : { folder }),
      settings,
      messages: messages.map(toPortable),
      ...(shown === undefined ? {} : { shown }),
    };
  }

  #put({ messages, shown, ...about }: PortableConversation): string {
    const conversationId = randomUUID();
    this.#db
      .prepare(
        `INSERT INTO conversations (id, title, title_from, created_at, updated_at, pinned, archived, folder, settings)
         VALUES (?, ?, 'person', ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        conversationId,
        about.title,
        about.createdAt,
        about.updatedAt,
        Number(about.pinned),
        Number(about.archived),
        about.folder ?? null,
        JSON.stringify(about.settings),
      );
    const ids = new Map(messages.map(({ id }) => [id, randomUUID()]));
    for (const { id, parentId, stopReason, usage, ...message } of messages) {
      const newId = ids.get(id) as string;
      const newParent = parentId === undefined ? undefined : ids.get(parentId);
      const added = {
        ...message,
        id: newId,
        conversationId,
        ...(newParent === undefined ? {} : { parentId: newParent }),
        blocks: message.blocks.map(block => copiedBlock(block, ids)),
      };
      this.#rows.add(added);
      this.#rows.end(newId, message.status, stopReason);
      if (usage) this.#conversations.setUsage(added, usage);
    }
    const leaf = shown === undefined ? undefined : ids.get(shown);
    if (leaf !== undefined) this.#rows.setLeaf(conversationId, leaf);
    // Adding messages counts as using it now.
    this.#db
      .prepare('UPDATE conversations SET updated_at = ? WHERE id = ?')
      .run(about.updatedAt, conversationId);
    return conversationId;
  }
}

function toPortable({
  id,
  parentId,
  role,
  createdAt,
  model,
  stopReason,
  usage,
  status,
  blocks,
}: PortableSource): PortableMessage {
  return {
    id,
    ...(parentId === undefined ? {} : { parentId }),
    role,
    createdAt,
    status: status === 'complete' ? 'complete' : 'incomplete',
    ...(model === undefined ? {} : { model }),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(usage === undefined ? {} : { usage }),
    blocks,
  };
}

type PortableSource = ReturnType<Conversations['messages']>[number];
