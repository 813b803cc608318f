import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import type { Block, Message, ToolCallBlock, ToolResult } from '../../shared/chat.ts';
import { openDatabase } from '../database.ts';
import { abridged, textOfPart } from './abridged.ts';
import { Branches } from './branches.ts';
import { BranchParts } from './branchParts.ts';
import { Conversations } from './conversations.ts';
import { Finder } from './finder.ts';

const call = (result: ToolResult): ToolCallBlock => ({
  type: 'toolCall',
  id: 'c1',
  modelName: 's__echo',
  input: {},
  status: 'done',
  result,
});
const text = (words: string) => ({ type: 'text', text: words });

/** The results of BC-14: one line, many lines, data, many parts. */
const results: [string, ToolResult][] = [
  ['one line', { content: [text('x'.repeat(6_000_000))] }],
  ['many lines', { content: [text('a line\n'.repeat(200_000))] }],
  ['data', { content: [], structuredContent: { rows: Array.from({ length: 9000 }, (_, id) => ({ id })) } }],
  ['many parts', { content: Array.from({ length: 400 }, (_, nth) => text(`${nth} `.repeat(2000))) }],
  [
    'pictures',
    { content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(500_000) }], isError: true },
  ],
];

function open() {
  const events: { name: string; told: unknown }[] = [];
  const db = openDatabase(':memory:');
  onTestFinished(() => void db.close());
  const emit = (name: string, told: unknown) => void events.push({ name, told });
  const conversations = new Conversations(db, emit as never);
  const { id } = conversations.create();
  return { db, events, conversations, emit, id };
}

it.each(results)(
  'a result of %s is kept whole beside its message, and told by its beginning (BC-14)',
  (_, result) => {
    const { db, events, conversations, id } = open();
    conversations.addUserMessage(id, 'go');
    const answer = conversations.beginAnswer(id, 'model');
    conversations.setBlock(answer, 0, call(result));
    conversations.finish(answer, 'complete');

    const shown = new BranchParts(db, conversations).part(id, 10)?.messages[1]?.blocks[0] as ToolCallBlock;
    expect(JSON.stringify(shown).length).toBeLessThan(64_000);
    expect(shown).toEqual(abridged(call(result)));
    for (const { told } of events) expect(JSON.stringify(told).length).toBeLessThan(64_000);
    const longest = db.prepare('SELECT max(length(json)) AS length FROM blocks').get() as { length: number };
    expect(longest.length).toBeLessThan(64_000);

    expect(conversations.messages(id)[1]?.blocks).toEqual([call(result)]);
    expect(conversations.message(id, answer.id).blocks).toEqual([call(result)]);
  },
);

it('a large result goes along with a copy, and goes with its message', () => {
  const { db, conversations, emit, id } = open();
  const result = { content: [text('x'.repeat(100_000))] };
  conversations.addUserMessage(id, 'go');
  const answer = conversations.beginAnswer(id, 'model');
  conversations.setBlock(answer, 0, call(result));
  conversations.finish(answer, 'complete');
  const branches = new Branches({ db, conversations, emit: emit as never });
  const copy = branches.fork(id, answer.id);
  expect(conversations.messages(copy.id)[1]?.blocks).toEqual([call(result)]);
  conversations.delete(id);
  conversations.delete(copy.id);
  expect(db.prepare('SELECT * FROM large_results').all()).toEqual([]);
});

it('what is found in a conversation is also found in the rest of a large result', async () => {
  const { db, conversations, id } = open();
  const answer = conversations.beginAnswer(id, 'model');
  conversations.setBlock(answer, 0, call({ content: [text(`${'hay '.repeat(50_000)}needle`)] }));
  conversations.finish(answer, 'complete');
  const finder = new Finder(db, conversations);
  expect(await finder.find(id, 'needle')).toEqual([{ messageId: answer.id, blocks: [0] }]);
  expect(await finder.find(id, 'thread')).toEqual([]);
});

it('a part of a result is text: words as they are, everything else as JSON', () => {
  const result = {
    content: [text('words'), { type: 'resource', resource: { uri: 'a:b', text: 'inner' } }],
    structuredContent: { text: 'not words', n: 1 },
  };
  expect(textOfPart(result, '0')).toBe('words');
  expect(JSON.parse(textOfPart(result, '1'))).toEqual(result.content[1]);
  expect(JSON.parse(textOfPart(result, 'structured'))).toEqual(result.structuredContent);
  expect(textOfPart(result, '7')).toBe('');
});

it('whatever a result is, it comes back as it was, and its beginning is one of it', () => {
  const { conversations, id } = open();
  const part = fc.oneof(
    fc.record({ type: fc.constant('text'), text: fc.string().map(words => words.repeat(3000)) }),
    fc.record({ type: fc.string({ minLength: 1 }), data: fc.string(), extra: fc.jsonValue() }),
  );
  const result = fc.record(
    { content: fc.array(part, { maxLength: 60 }), structuredContent: fc.jsonValue(), isError: fc.boolean() },
    { requiredKeys: ['content'] },
  );
  fc.assert(
    fc.property(result, given => {
      const whole = JSON.parse(JSON.stringify(given)) as ToolResult;
      const answer: Message = conversations.beginAnswer(id, 'model');
      conversations.setBlock(answer, 0, call(whole));
      expect(conversations.message(id, answer.id).blocks).toEqual([call(whole)]);
      const short = abridged(call(whole)) as ToolCallBlock & { result: ToolResult };
      expect(abridged(short as Block)).toBe(short);
      const { parts = {}, left = 0 } = short.abridged ?? {};
      expect(short.result.content.length + left).toBe(whole.content.length);
      short.result.content.forEach((shown, index) => {
        if (!(index in parts)) expect(shown).toEqual(whole.content[index]);
        else if (typeof whole.content[index]?.text === 'string')
          expect(String(whole.content[index]?.text).startsWith(String(shown.text))).toBe(true);
      });
    }),
    { numRuns: 100 },
  );
});
