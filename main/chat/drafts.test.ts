import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../database.ts';
import { HostEvents } from '../events.ts';
import { Conversations } from './conversations.ts';
import { Drafts } from './drafts.ts';

function open() {
  const db = openDatabase(':memory:');
  onTestFinished(() => void db.close());
  const conversations = new Conversations(db, new HostEvents().emit);
  const rows = () => (db.prepare('SELECT count(*) AS n FROM drafts').get() as { n: number }).n;
  return { db, conversations, drafts: new Drafts(db), rows };
}

describe('drafts', () => {
  it('are kept for each conversation and for the next new one, until they are empty', () => {
    const { db, conversations, drafts, rows } = open();
    const { id } = conversations.create();
    drafts.save({ conversationId: id }, { text: 'half a thou' });
    drafts.save({ conversationId: id }, { text: 'half a thought' });
    drafts.save({ conversationId: undefined }, { text: 'something new' });
    const later = new Drafts(db);
    expect(later.get(id).text).toBe('half a thought');
    expect(later.get(undefined).text).toBe('something new');
    const note = { type: 'attachment' as const, name: 'note.txt', text: 'n' };
    drafts.save({ conversationId: id }, { attachments: [note] });
    drafts.save({ conversationId: id }, { text: '' });
    expect(drafts.get(id)).toEqual({ text: '', attachments: [note] });
    drafts.save({ conversationId: id }, { attachments: [] });
    expect(drafts.get(id).text).toBe('');
    expect(rows()).toBe(1);
  });

  it('end with their conversation, also when one is saved a moment too late', () => {
    const { conversations, drafts, rows } = open();
    const { id } = conversations.create();
    drafts.save({ conversationId: id }, { text: 'gone' });
    conversations.delete(id);
    drafts.save({ conversationId: id }, { text: 'too late' });
    expect(drafts.get(id).text).toBe('');
    expect(rows()).toBe(0);
  });

  it('of messages that are edited are beside that of the conversation, and end with their message', () => {
    const { db, conversations, drafts, rows } = open();
    const { id } = conversations.create();
    const message = conversations.addUserMessage(id, 'as it was');
    const place = { conversationId: id, messageId: message.id };
    drafts.save({ conversationId: id }, { text: 'the next one' });
    drafts.save(place, { text: 'as it sh', attachments: [] });
    drafts.save(place, { text: 'as it should be' });
    expect(drafts.get(id).text).toBe('the next one');
    expect(drafts.edits(id)).toEqual([{ messageId: message.id, text: 'as it should be', attachments: [] }]);
    db.prepare('DELETE FROM messages').run();
    expect(drafts.edits(id)).toEqual([]);
    drafts.save(place, { text: 'too late' });
    expect(rows()).toBe(1);
  });
});
