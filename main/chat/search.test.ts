import { expect, it, onTestFinished } from 'vitest';
import type { Excerpt } from '../../shared/chat.ts';
import { openDatabase } from '../database.ts';
import { Conversations } from './conversations.ts';
import { searchConversations } from './search.ts';

function open() {
  const db = openDatabase(':memory:');
  onTestFinished(() => void db.close());
  const conversations = new Conversations(db, () => {});
  return {
    conversations,
    write(title: string, ...texts: string[]): string {
      const { id } = conversations.create();
      conversations.rename(id, title);
      for (const text of texts) conversations.addUserMessage(id, text);
      return id;
    },
    search: (query: string) => searchConversations(db, conversations, query),
    titles: (query: string) =>
      searchConversations(db, conversations, query).found.map(({ conversation }) => conversation.title),
  };
}

const hits = (excerpt: Excerpt | undefined) => excerpt?.flatMap(({ text, isHit }) => (isHit ? text : []));

it('finds all the words in one message, in any order, the last as a beginning, without case and accents', () => {
  const { write, titles } = open();
  write('Trip', 'The café in Zürich opens at nine.');
  write('Other', 'A cafe elsewhere');
  expect(titles('zurich CAFE')).toEqual(['Trip']);
  expect(titles('cafe zur')).toEqual(['Trip']);
  expect(titles('zur cafe')).toEqual([]);
  expect(titles('cafe ')).toEqual(['Other', 'Trip']);
  expect(titles('caf ')).toEqual([]);
});

it('finds words in quotes only together, and takes no sign for an operator', () => {
  const { write, titles } = open();
  write('One', 'red apple');
  write('Two', 'apple red');
  expect(titles('"red apple"')).toEqual(['One']);
  expect(titles('"red ap')).toEqual([]);
  expect(titles('red OR apple')).toEqual([]);
  for (const odd of ['*', '"', '""', '(', 'NOT', 'red*', 'text:red', "it's", 'a-b', '^red', '  ', '\u0000'])
    expect(() => titles(odd)).not.toThrow();
});

it('marks what was found, in titles and in messages', () => {
  const { write, search } = open();
  write('Bread for Berta', `${'before '.repeat(40)} fresh bread ${'after '.repeat(40)}`);
  const [found] = search('bread').found;
  expect(hits(found?.title)).toEqual(['Bread']);
  expect(hits(found?.messages[0]?.excerpt)).toEqual(['bread']);
  expect(found?.messages[0]?.excerpt.map(({ text }) => text).join('')).toMatch(
    /^…before .*fresh bread after.*…$/,
  );
});

it('shows the newest messages of a conversation and how many there are more', () => {
  const { write, search } = open();
  const id = write('Long', ...Array.from({ length: 7 }, (_, nth) => `word number${nth}`));
  const [found] = search('word').found;
  expect(found).toMatchObject({ conversation: { id }, more: 4 });
  expect(found?.messages.map(({ excerpt }) => excerpt.at(-1)?.text)).toEqual([
    ' number6',
    ' number5',
    ' number4',
  ]);
});

it('finds what a text is now, and nothing of what is gone', () => {
  const { write, titles, conversations } = open();
  const id = write('Draft');
  const message = conversations.beginAnswer(id, 'm');
  conversations.setBlock(message, 0, { type: 'text', text: 'first thought' });
  expect(titles('first')).toEqual(['Draft']);
  conversations.setBlock(message, 0, { type: 'text', text: 'second thought' });
  expect(titles('first')).toEqual([]);
  expect(titles('second')).toEqual(['Draft']);
  conversations.delete(id);
  expect(titles('second')).toEqual([]);
});

it('finds archived ones, in the order of the list', () => {
  const { write, titles, conversations } = open();
  const old = write('Old', 'a word');
  write('New', 'a word');
  conversations.mark(old, { archived: true });
  expect(titles('word')).toEqual(['New', 'Old']);
  expect(conversations.get(old)).toMatchObject({ archived: true, pinned: false });
});
