import { join } from 'node:path';
import { Conversations } from '../../main/chat/conversations.ts';
import { openDatabase } from '../../main/database.ts';
import type { ToolResult } from '../../shared/chat.ts';

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

/** Writes a conversation in which a tool was called and gave these results, by its title. */
export function writeResults(dataDir: string, title: string, results: Record<string, ToolResult>): void {
  const db = openDatabase(join(dataDir, 'parley.db'));
  const conversations = new Conversations(db, () => {});
  const { id } = conversations.create({ title });
  conversations.addUserMessage(id, 'Ask them all.');
  const answer = conversations.beginAnswer(id, 'guide');
  Object.entries(results).forEach(([tool, result], index) => {
    const call = {
      type: 'toolCall' as const,
      id: tool,
      modelName: `s__${tool}`,
      server: 's',
      tool,
      input: {},
    };
    conversations.setBlock(answer, index, { ...call, status: 'done', result });
  });
  conversations.finish(answer, 'complete');
  db.close();
}
