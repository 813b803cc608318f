import { join } from 'node:path';
import { Conversations } from '../../main/chat/conversations.ts';
import { openDatabase } from '../../main/database.ts';

/** Writes conversations of so many messages each, by their titles, as an earlier Parley left them. */
export function writeConversations(dataDir: string, lengths: Record<string, number>): void {
  const db = openDatabase(join(dataDir, 'parley.db'));
  const conversations = new Conversations(db, () => {});
  db.transaction(() => {
    for (const [title, length] of Object.entries(lengths)) {
      const { id } = conversations.create();
      conversations.rename(id, title);
      for (let nth = 0; nth < length; nth += 2) {
        conversations.addUserMessage(id, `Question ${nth}: what about it? ${'And on. '.repeat(nth % 7)}`);
        const answer = conversations.beginAnswer(id, 'guide');
        const text = `Answer ${nth + 1}: **it depends**.\n\n- one\n- two\n\n${'Some more words. '.repeat(nth % 23)}`;
        conversations.setBlock(answer, 0, { type: 'text', text });
        conversations.finish(answer, 'complete');
      }
    }
  })();
  db.close();
}
