import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import type { PartPlace } from '../../shared/chat.ts';
import { openDatabase } from '../database.ts';
import { Branches } from './branches.ts';
import { BranchParts } from './branchParts.ts';
import { Conversations } from './conversations.ts';
import { MessageRows } from './messageRows.ts';
import { MessageTree } from './messageTree.ts';

function open() {
  const db = openDatabase(':memory:');
  onTestFinished(() => void (db.open && db.close()));
  const conversations = new Conversations(db, () => {});
  return { db, conversations, parts: new BranchParts(db, conversations), id: conversations.create().id };
}

const anyTree = fc.array(fc.nat(), { maxLength: 40 });
const sides = ['before', 'after', 'around'] as const;

it('gives every part of the branch that is shown as a walk through the whole tree finds it', () => {
  fc.assert(
    fc.property(anyTree, fc.nat(), fc.integer({ min: 1, max: 12 }), (follows, end, count) => {
      const { db, conversations, parts, id } = open();
      const all: string[] = [];
      for (const [nth, place] of follows.entries()) {
        // Each follows one of those before it, or nothing.
        const parentId = all[place % (all.length + 1)] ?? null;
        all.push(conversations.addUserMessage(id, `${nth}`, { parentId }).id);
      }
      const shownEnd = all[end % Math.max(1, all.length)];
      if (shownEnd) new Branches({ db, conversations, emit: () => {} }).show(id, shownEnd);
      const rows = new MessageRows(db);
      const tree = new MessageTree(rows.places(id));
      const leaf = rows.leaf(id);
      const branch = leaf ? tree.path(leaf) : [];
      const whole = conversations.messages(id);
      expect(whole.map(({ id }) => id)).toEqual(branch);
      for (const { id, versions } of whole) expect(versions ?? [id]).toEqual(tree.versions(id));

      const expected = (start: number, end: number) => ({
        messages: whole.slice(start, end),
        hasEarlier: start > 0,
        hasLater: end < branch.length,
      });
      const { length } = branch;
      expect(parts.part(id, count)).toEqual(expected(Math.max(0, length - count), length));
      for (const messageId of all) {
        const at = branch.indexOf(messageId);
        const from = Math.max(0, at - Math.floor(count / 2));
        const ranges = {
          before: [Math.max(0, at - count), at],
          after: [at + 1, Math.min(length, at + 1 + count)],
          around: [from, Math.min(length, from + count)],
        } as const;
        for (const side of sides) {
          const place: PartPlace = { side, messageId };
          const part = parts.part(id, count, place);
          expect(part).toEqual(at === -1 ? undefined : expected(...ranges[side]));
        }
      }
      db.close();
    }),
    { numRuns: 60 },
  );
});

it('reads of a long branch no more than what is wanted', () => {
  const { conversations, parts, id } = open();
  for (let nth = 0; nth < 300; nth++) conversations.addUserMessage(id, `${nth}`);
  const read: number[] = [];
  const { readShown: plain } = conversations;
  conversations.readShown = ids => {
    read.push(ids.length);
    return plain.call(conversations, ids);
  };
  const last = parts.part(id, 5);
  expect(last?.messages.map(({ blocks: [block] }) => block)).toMatchObject(
    [295, 296, 297, 298, 299].map(nth => ({ text: `${nth}` })),
  );
  parts.part(id, 5, { side: 'before', messageId: last?.messages[0]?.id ?? '' });
  expect(read).toEqual([5, 5]);
});

it('lists what the person wrote by its first line, or by what is attached', () => {
  const { conversations, parts, id } = open();
  expect(parts.own(id)).toEqual([]);
  conversations.addUserMessage(id, `\n\n  First line ${'x'.repeat(300)}\nsecond line`);
  conversations.finish(conversations.beginAnswer(id, 'guide'), 'complete');
  conversations.addUserMessage(id, '', {
    attachments: [{ type: 'attachment', name: 'notes.txt', mimeType: 'text/plain', text: 'not shown' }],
  });
  const gone = conversations.addUserMessage(id, 'on another branch');
  const last = conversations.addUserMessage(id, 'last', { parentId: gone.parentId ?? null });
  const own = parts.own(id);
  expect(own.map(({ beginning }) => beginning)).toEqual([
    `First line ${'x'.repeat(189)}`,
    'notes.txt',
    'last',
  ]);
  expect(own.at(-1)).toEqual({ messageId: last.id, at: last.createdAt, beginning: 'last' });
});
