import { randomUUID } from 'node:crypto';
import type { Block, Conversation } from '../../shared/chat.ts';
import { HostError } from '../../shared/errors.ts';
import { type Db, inTransaction } from '../database.ts';
import type { Emit } from '../events.ts';
import type { Conversations } from './conversations.ts';
import { copiedBlock } from './copiedBlock.ts';
import { MessageRows } from './messageRows.ts';
import { MessageTree } from './messageTree.ts';

/** What is done with the branches of conversations. Each method throws HostError `message.notFound` for what is gone. */
export class Branches {
  readonly #db: Db;
  readonly #rows: MessageRows;
  readonly #conversations: Conversations;
  readonly #emit: Emit;

  constructor({ db, conversations, emit }: { db: Db; conversations: Conversations; emit: Emit }) {
    this.#db = db;
    this.#rows = new MessageRows(db);
    this.#conversations = conversations;
    this.#emit = emit;
  }

  /** Shows the branch on which this message is: of those, the one on which something was written last. */
  show(conversationId: string, messageId: string): void {
    const { tree, shown } = this.#look(conversationId, messageId);
    if (shown.includes(messageId)) return;
    const end = tree.newestEnd(messageId);
    this.#rows.setLeaf(conversationId, end);
    const path = tree.path(end);
    const parting = path.findIndex((id, index) => id !== shown[index]);
    this.#tell(conversationId, path.slice(parting), path[parting - 1]);
  }

  /** The ids of a message and of all that follows it, on every branch. */
  from(conversationId: string, messageId: string): string[] {
    return this.#look(conversationId, messageId).tree.from(messageId);
  }

  /** Deletes a message and all that follows it, on every branch. A version beside it is shown, if there is one. */
  deleteFrom(conversationId: string, messageId: string): void {
    const { tree, shown } = this.#look(conversationId, messageId);
    const versions = tree.versions(messageId);
    const at = versions.indexOf(messageId);
    const beside = versions[at - 1] ?? versions[at + 1];
    const parent = tree.path(messageId).at(-2);
    const end = beside ? tree.newestEnd(beside) : parent;
    const wasShown = shown.includes(messageId);
    this.#db.transaction(() => {
      this.#rows.delete(tree.from(messageId));
      if (wasShown) this.#rows.setLeaf(conversationId, end);
    })();
    if (!wasShown) return;
    const path = beside && end ? tree.path(end) : [];
    this.#tell(conversationId, beside ? path.slice(path.indexOf(beside)) : [], parent);
  }

  /**
   * Copies a conversation up to one of its messages, with all that belongs to these, into a new one that says in its
   * title what it is. What the answers took was taken once and stays with the old one.
   */
  fork(conversationId: string, messageId: string): Conversation {
    const path = this.#conversations.path(conversationId, messageId);
    if (path.some(({ status }) => status === 'streaming'))
      throw new HostError('chat.busy', 'This message is still being written.', 'Wait for it, or stop it.');
    const { title, settings, folder } = this.#conversations.get(conversationId);
    const ids = new Map(path.map(({ id }) => [id, randomUUID()]));
    return inTransaction(this.#db, () => {
      const fork = this.#conversations.create({ title: forkTitle(title), settings });
      for (const { usage: _usage, versions: _versions, parentId, stopReason, ...message } of path) {
        const copy = {
          ...message,
          id: ids.get(message.id) as string,
          conversationId: fork.id,
          ...(parentId === undefined ? {} : { parentId: ids.get(parentId) as string }),
          blocks: message.blocks.map(block => withoutUsage(copiedBlock(block, ids))),
        };
        this.#rows.add(copy);
        this.#rows.end(copy.id, message.status as 'complete' | 'incomplete', stopReason);
        this.#rows.copyTools(message.id, copy.id);
      }
      this.#conversations.mark(fork.id, { folder });
      return this.#conversations.get(fork.id);
    });
  }

  #look(conversationId: string, messageId: string): { tree: MessageTree; shown: string[] } {
    const places = this.#rows.places(conversationId);
    if (!places.some(({ id }) => id === messageId))
      throw new HostError('message.notFound', 'This message no longer exists.');
    const tree = new MessageTree(places);
    const leaf = this.#rows.leaf(conversationId);
    return { tree, shown: leaf === undefined ? [] : tree.path(leaf) };
  }

  #tell(conversationId: string, ids: readonly string[], after: string | undefined): void {
    this.#emit('branch.changed', {
      conversationId,
      ...(after === undefined ? {} : { after }),
      messages: this.#conversations.readShown(ids.slice(0, MOST_TOLD)),
      hasLater: ids.length > MOST_TOLD,
    });
  }
}

/** So many messages of a branch are sent when it is shown; who wants more asks for them. */
const MOST_TOLD = 60;

const LONGEST_TITLE = 200;

function withoutUsage(block: Block): Block {
  if (block.type !== 'summary') return block;
  const { usage: _usage, ...summary } = block;
  return summary;
}

/** A fork of a fork is no “Fork of fork of”. */
function forkTitle(title: string): string {
  const [, name = title, count] = /^(.*) \(fork(?: (\d+))?\)$/.exec(title) ?? [];
  const nth = name === title ? '' : ` ${Number(count ?? 1) + 1}`;
  const suffix = ` (fork${nth})`;
  // Never through the middle of a character that takes two units.
  return name.slice(0, LONGEST_TITLE - suffix.length).replace(/[\uD800-\uDBFF]$/, '') + suffix;
}
