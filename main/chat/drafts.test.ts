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
    drafts.save(id, { text: 'half a thou' });
    drafts.save(id, { text: 'half a thought' });
    drafts.save(undefined, { text: 'something new' });
    const later = new Drafts(db);
    expect(later.get(id).text).toBe('half a thought');
    expect(later.get(undefined).text).toBe('something new');
    const note = { type: 'attachment' as const, name: 'note.txt', text: 'n' };
    drafts.save(id, { attachments: [note] });
    drafts.save(id, { text: '' });
    expect(drafts.get(id)).toEqual({ text: '', attachments: [note] });
    drafts.save(id, { attachments: [] });
    expect(drafts.get(id).text).toBe('');
    expect(rows()).toBe(1);
  });

  it('end with their conversation, also when one is saved a moment too late', () => {
    const { conversations, drafts, rows } = open();
    const { id } = conversations.create();
    drafts.save(id, { text: 'gone' });
    conversations.delete(id);
    drafts.save(id, { text: 'too late' });
    expect(drafts.get(id).text).toBe('');
    expect(rows()).toBe(0);
  });
});
