/** What earlier lives of Parley left unfinished. App and command line may share a database: what lives is left alone. */
import type { Message } from '../../shared/chat.ts';
import type { Db } from '../database.ts';
import type { Emit } from '../events.ts';
import type { Conversations } from './conversations.ts';
import { MessageRows } from './messageRows.ts';
import { isWriterGone } from './writer.ts';

/** What a process was writing when it died is marked as cut, and calls that had not ended as interrupted. */
export function recoverInterrupted(db: Db, conversations: Conversations, emit: Emit): void {
  const rows = new MessageRows(db);
  for (const row of rows.streaming()) {
    if (!isWriterGone(row.writer_pid, row.created_at)) continue;
    rows.interrupt(row.id);
    const recovered = conversations.messages(row.conversation_id).find(({ id }) => id === row.id);
    if (recovered) emit('message.changed', recovered);
  }
}

/**
 * Takes over the tasks that no living process waits for: their messages, and where in them they are. To be called after
 * `recoverInterrupted`.
 */
export function adoptTasks(db: Db, conversations: Conversations): { message: Message; index: number }[] {
  const rows = new MessageRows(db);
  return rows.tasks().flatMap(task => {
    const row = rows.find(task.message_id);
    if (!row || !isWriterGone(task.owner_pid, task.owned_since)) return [];
    const message = conversations.path(row.conversation_id, row.id).at(-1);
    const block = message?.blocks[task.position];
    if (!message || !block) return [];
    rows.storeBlock(message.id, task.position, block);
    return [{ message, index: task.position }];
  });
}
