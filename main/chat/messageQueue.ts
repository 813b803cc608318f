import { randomUUID } from 'node:crypto';
import type { Attachment } from '../../shared/attachments.ts';
import type { Draft, Queue, QueuedMessage } from '../../shared/chat.ts';
import { HostError, toErrorInfo } from '../../shared/errors.ts';
import type { Db } from '../database.ts';
import type { Emit } from '../events.ts';
import type { Turns } from './turn.ts';

interface Row {
  id: string;
  conversation_id: string;
  text: string;
  attachments: string;
}

/**
 * What is sent while a turn runs waits here, on disk, and is sent one after another as turns end well. After a stop, a
 * failure or a restart it is held until the person says what is to become of it.
 */
export class MessageQueue {
  readonly #db: Db;
  readonly #turns: Turns;
  readonly #emit: Emit;
  /** The conversations whose queue waits for the person. */
  readonly #held = new Set<string>();
  /** Those whose turn is being stopped so that the first message can be sent. */
  readonly #urgent = new Set<string>();

  constructor({ db, turns, emit }: { db: Db; turns: Turns; emit: Emit }) {
    this.#db = db;
    this.#turns = turns;
    this.#emit = emit;
    for (const { conversationId } of this.list()) this.#held.add(conversationId);
    turns.onEnd((conversationId, well) => this.#turnEnded(conversationId, well));
  }

  /** Sends it, or puts it at the end of the queue while a turn runs. @throws HostError as `Turns.send` */
  async send(conversationId: string, text: string, attachments: readonly Attachment[] = []): Promise<void> {
    if (!this.#turns.isRunning(conversationId)) return this.#turns.send(conversationId, text, attachments);
    if (text.trim() === '' && attachments.length === 0)
      throw new HostError('chat.empty', 'There is nothing to send.', 'Write a message first.');
    this.#db
      .prepare(
        `INSERT INTO queued_messages (id, conversation_id, position, text, attachments)
         SELECT ?, ?, COALESCE(MAX(position) + 1, 0), ?, ? FROM queued_messages WHERE conversation_id = ?`,
      )
      .run(randomUUID(), conversationId, text, JSON.stringify(attachments), conversationId);
    this.#tell(conversationId);
  }

  /** The queues that are not empty. */
  list(): Queue[] {
    const rows = this.#db.prepare('SELECT DISTINCT conversation_id AS id FROM queued_messages').all() as {
      id: string;
    }[];
    return rows.map(({ id }) => this.of(id));
  }

  of(conversationId: string): Queue {
    const messages = this.#rows(conversationId).map(toQueued);
    return { conversationId, held: messages.length > 0 && this.#held.has(conversationId), messages };
  }

  /** Takes a message out. @returns what it was @throws HostError `queue.gone` when it was sent meanwhile */
  remove(conversationId: string, id: string): Draft {
    const { text, attachments } = this.#mustHave(conversationId, id);
    this.#delete(conversationId, id);
    return { text, attachments };
  }

  discard(conversationId: string): void {
    this.#db.prepare('DELETE FROM queued_messages WHERE conversation_id = ?').run(conversationId);
    this.#held.delete(conversationId);
    this.#tell(conversationId);
  }

  /** Gives a message another place, counted from 0. */
  move(conversationId: string, id: string, to: number): void {
    this.#mustHave(conversationId, id);
    const ids = this.#rows(conversationId).flatMap(row => (row.id === id ? [] : row.id));
    ids.splice(to, 0, id);
    const place = this.#db.prepare('UPDATE queued_messages SET position = ? WHERE id = ?');
    this.#db.transaction(() => {
      for (const [position, each] of ids.entries()) place.run(position, each);
    })();
    this.#tell(conversationId);
  }

  /** Stops the turn, if one runs, and sends this message; the others follow in order. */
  async sendNow(conversationId: string, id: string): Promise<void> {
    this.move(conversationId, id, 0);
    if (!this.#turns.isRunning(conversationId)) return this.goOn(conversationId);
    this.#held.delete(conversationId);
    this.#urgent.add(conversationId);
    await this.#turns.stop(conversationId);
  }

  /** Sends what was held, one after another. */
  async goOn(conversationId: string): Promise<void> {
    this.#held.delete(conversationId);
    if (this.#turns.isRunning(conversationId)) this.#tell(conversationId);
    else await this.#sendFirst(conversationId);
  }

  #turnEnded(conversationId: string, well: boolean): void {
    const goesOn = this.#urgent.delete(conversationId) || (well && !this.#held.has(conversationId));
    if (goesOn)
      void this.#sendFirst(conversationId).catch(error => this.#emit('problem', toErrorInfo(error)));
    else this.#hold(conversationId);
  }

  /** What cannot be sent stays. */
  async #sendFirst(conversationId: string): Promise<void> {
    const [row] = this.#rows(conversationId);
    if (!row) return;
    const { text, attachments } = toQueued(row);
    try {
      await this.#turns.send(conversationId, text, attachments);
    } catch (error) {
      this.#hold(conversationId);
      throw error;
    }
    this.#delete(conversationId, row.id);
  }

  #hold(conversationId: string): void {
    if (this.#rows(conversationId).length === 0) return;
    this.#held.add(conversationId);
    this.#tell(conversationId);
  }

  #delete(conversationId: string, id: string): void {
    this.#db.prepare('DELETE FROM queued_messages WHERE id = ?').run(id);
    if (this.#rows(conversationId).length === 0) this.#held.delete(conversationId);
    this.#tell(conversationId);
  }

  #rows(conversationId: string): Row[] {
    return this.#db
      .prepare('SELECT * FROM queued_messages WHERE conversation_id = ? ORDER BY position')
      .all(conversationId) as Row[];
  }

  #mustHave(conversationId: string, id: string): QueuedMessage {
    const row = this.#rows(conversationId).find(row => row.id === id);
    if (!row)
      throw new HostError('queue.gone', 'This message does not wait any more.', 'It may have been sent.');
    return toQueued(row);
  }

  #tell(conversationId: string): void {
    this.#emit('queue.changed', this.of(conversationId));
  }
}

function toQueued({ id, text, attachments }: Row): QueuedMessage {
  return { id, text, attachments: JSON.parse(attachments) as Attachment[] };
}
