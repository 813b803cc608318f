import type { BranchPart, OwnMessage, PartPlace } from '../../shared/chat.ts';
import type { Db } from '../database.ts';
import type { Conversations } from './conversations.ts';
import { MessageRows } from './messageRows.ts';

/** Longer beginnings of what a person wrote are cut in the outline; in characters. */
const LONGEST_BEGINNING = 200;

/**
 * The branch that is shown, in parts: what is read does not grow with the conversation, so that a long one opens as fast
 * as a short one.
 */
export class BranchParts {
  readonly #db: Db;
  readonly #rows: MessageRows;
  readonly #conversations: Conversations;

  constructor(db: Db, conversations: Conversations) {
    this.#db = db;
    this.#rows = new MessageRows(db);
    this.#conversations = conversations;
  }

  /** At most `count` messages; undefined when the one that `place` names is not on the branch. */
  part(conversationId: string, count: number, place?: PartPlace): BranchPart | undefined {
    this.#conversations.get(conversationId);
    const leaf = this.#rows.leaf(conversationId);
    if (leaf === undefined) return place ? undefined : { messages: [], hasEarlier: false, hasLater: false };
    if (!place) return this.#cut(this.#rows.branch(leaf, count + 1), -count);
    const { side, messageId } = place;
    const branch = this.#rows.branch(leaf);
    const at = branch.indexOf(messageId);
    if (at === -1) return undefined;
    if (side === 'before') return this.#cut(branch, Math.max(0, at - count), at);
    const start = side === 'after' ? at + 1 : Math.max(0, at - Math.floor(count / 2));
    return this.#cut(branch, start, start + count);
  }

  /** All that the person wrote on the branch, oldest first, by its beginning. */
  own(conversationId: string): OwnMessage[] {
    this.#conversations.get(conversationId);
    const leaf = this.#rows.leaf(conversationId);
    if (leaf === undefined) return [];
    const rows = this.#db
      .prepare(
        `SELECT m.id, m.created_at AS at, (
           SELECT substr(ltrim(json ->> 'text', char(9, 10, 13, 32)), 1, ${LONGEST_BEGINNING}) FROM blocks
           WHERE message_id = m.id AND json ->> 'type' = 'text' ORDER BY position LIMIT 1
         ) AS text, (
           SELECT json_group_array(json ->> 'name') FROM blocks
           WHERE message_id = m.id AND json ->> 'type' <> 'text'
         ) AS names
         FROM json_each(?) ids JOIN messages m ON m.id = ids.value WHERE m.role = 'user' ORDER BY ids.key`,
      )
      .all(JSON.stringify(this.#rows.branch(leaf))) as {
      id: string;
      at: number;
      text: string | null;
      names: string;
    }[];
    return rows.map(({ id, at, text, names }) => ({
      messageId: id,
      at,
      beginning:
        text?.split('\n', 1)[0] ?? (JSON.parse(names) as (string | null)[]).filter(Boolean).join(', '),
    }));
  }

  #cut(branch: readonly string[], start: number, end = branch.length): BranchPart {
    const ids = branch.slice(start, end);
    return {
      messages: this.#conversations.readShown(ids),
      hasEarlier: ids.length > 0 ? ids[0] !== branch[0] : start > 0,
      hasLater: end < branch.length,
    };
  }
}
