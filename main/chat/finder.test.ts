import { expect, it, onTestFinished } from 'vitest';
import type { Block } from '../../shared/chat.ts';
import { openDatabase } from '../database.ts';
import { Conversations } from './conversations.ts';
import { Finder } from './finder.ts';

function open() {
  const db = openDatabase(':memory:');
  onTestFinished(() => void db.close());
  const conversations = new Conversations(db, () => {});
  const { id } = conversations.create();
  const finder = new Finder(db, conversations);
  const answer = (...blocks: Block[]) => {
    const message = conversations.beginAnswer(id, 'guide');
    for (const [index, block] of blocks.entries()) conversations.setBlock(message, index, block);
    conversations.finish(message, 'complete');
    return message.id;
  };
  return { conversations, id, answer, find: (query: string) => finder.find(id, query) };
}

const call: Block = {
  type: 'toolCall',
  id: 'c',
  modelName: 'files__read',
  title: 'Read a file',
  input: { path: '/tmp/Straße.txt', nested: [{ deep: { limit: 4711 } }] },
  status: 'done',
  result: {
    content: [
      { type: 'text', text: 'Line one\nsays "Ärger"' },
      { type: 'image', data: 'QmFzZTY0', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///a', blob: 'QmxvYg', text: 'embedded words' } },
    ],
    structuredContent: { rows: [{ city: 'Zürich' }] },
  },
};

it('finds any part of what can be read in a message, whatever its case, and says in which blocks', async () => {
  const { conversations, id, answer, find } = open();
  const question = conversations.addUserMessage(id, 'Where is the BREAD?').id;
  const reply = answer({ type: 'thinking', text: 'Perhaps bread is meant.' }, call, {
    type: 'text',
    text: 'No bread.',
  });
  expect(await find(' bread')).toEqual([
    { messageId: question, blocks: [0] },
    { messageId: reply, blocks: [0, 2] },
  ]);
  for (const query of ['straße', '4711', 'LIMIT', 'one\nsays "ä', 'embedded', 'zür', 'read a f'])
    expect([query, await find(query)]).toEqual([query, [{ messageId: reply, blocks: [1] }]]);
  // What nobody sees: the names of our own fields, and data.
  for (const query of ['toolCall', 'QmFz', 'QmxvYg', 'image/x', 'status', '(', ''])
    expect([query, await find(query)]).toEqual([query, []]);
});

it('finds only on the branch that is shown', async () => {
  const { conversations, id, find } = open();
  conversations.addUserMessage(id, 'one bread');
  const other = conversations.addUserMessage(id, 'two bread', { parentId: null });
  expect(await find('bread')).toEqual([{ messageId: other.id, blocks: [0] }]);
});
