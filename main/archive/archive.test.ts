import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Branches } from '../chat/branches.ts';
import { Conversations } from '../chat/conversations.ts';
import { adoptTasks } from '../chat/interrupted.ts';
import { openDatabase } from '../database.ts';
import { HostEvents } from '../events.ts';
import { Archive } from './archive.ts';
import { backUp, lookIntoBackup, prepareRestore, takeRestore } from './backup.ts';
import { readImport } from './readImport.ts';

function open(file = ':memory:') {
  const db = openDatabase(file);
  onTestFinished(() => void db.close());
  const { emit } = new HostEvents();
  const conversations = new Conversations(db, emit);
  const branches = new Branches({ db, conversations, emit });
  return { db, conversations, branches, archive: new Archive(db, conversations) };
}

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'parley-archive-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const read = (value: unknown) =>
  readImport(strToU8(typeof value === 'string' ? value : JSON.stringify(value)));

/** Two versions of an answer, the first of them shown, with a call that still runs. */
function withBranches() {
  const bench = open();
  const { conversations, branches } = bench;
  const { id } = conversations.create();
  const file = { type: 'attachment' as const, name: 'notes.txt', text: 'One\nTwo' };
  const question = conversations.addUserMessage(id, 'What is in it?', { attachments: [file] });
  const first = conversations.beginAnswer(id, 'claude-opus-5-5');
  conversations.setBlock(first, 0, { type: 'thinking', text: 'Hm.', signature: 'sig' });
  conversations.setBlock(first, 1, {
    type: 'toolCall',
    id: 't1',
    modelName: 'files__read',
    server: 'files',
    tool: 'read',
    input: { path: '/a' },
    status: 'running',
    task: { id: 'task', createdAt: '2026-01-01T00:00:00Z', ttlMs: null, waiting: false },
  });
  conversations.setBlock(first, 2, { type: 'text', text: 'Two lines.' });
  conversations.setUsage(first, { input: 10, output: 5, cacheRead: 3, cacheWrite: 2 });
  conversations.finish(first, 'complete', 'end_turn');
  const second = conversations.beginAnswer(id, 'claude-opus-5-5', { parentId: question.id });
  conversations.setBlock(second, 0, { type: 'text', text: 'Lines.' });
  conversations.finish(second, 'incomplete');
  branches.show(id, first.id);
  conversations.configure(id, { instructions: 'Be short.' });
  conversations.mark(id, { pinned: true, folder: 'Work' });
  return { ...bench, id };
}

describe('the archive', () => {
  it('reads back what it wrote: branches, blocks, marks, settings, usage', () => {
    const from = withBranches();
    const text = from.archive.toJson([from.id]);
    const to = open();
    const [id = ''] = to.archive.add(read(text).conversations);
    const old = from.conversations;
    expect(to.conversations.get(id)).toEqual({ ...old.get(from.id), id });
    expect(to.conversations.titleOrigin(id)).toBe('person');
    const [question, answer] = to.conversations.messages(id);
    expect(answer).toMatchObject({
      role: 'assistant',
      parentId: question?.id,
      status: 'complete',
      stopReason: 'end_turn',
      usage: { input: 10, output: 5, cacheRead: 3, cacheWrite: 2 },
      versions: [answer?.id, expect.any(String)],
    });
    // Written again it is the same but for the ids, and for the call that nobody waits for any more.
    const written = (json: string, { conversations }: ReturnType<typeof open>, at: string) =>
      JSON.parse(
        conversations
          .allMessages(at)
          .reduce((all, message, index) => all.replaceAll(message.id, `m${index}`), json),
      ).conversations;
    const before = written(text, from, from.id);
    const call = before[0].messages[1].blocks[1];
    delete call.task;
    call.status = 'interrupted';
    expect(written(to.archive.toJson([id]), to, id)).toEqual(before);
  });

  it('asks no server for a task that a file tells of', () => {
    const from = withBranches();
    const to = open();
    to.archive.add(read(from.archive.toJson([from.id])).conversations);
    expect(adoptTasks(to.db, to.conversations)).toEqual([]);
  });

  it('writes Markdown of the branch that is shown, with fences that hold', () => {
    const { archive, conversations, id } = withBranches();
    const last = conversations.beginAnswer(id, 'claude-opus-5-5');
    conversations.setBlock(last, 0, {
      type: 'toolCall',
      id: 't2',
      modelName: 'x',
      input: {},
      status: 'done',
      result: { content: [{ type: 'text', text: 'a ```` b' }] },
    });
    conversations.finish(last, 'complete');
    const text = archive.toMarkdown([id]);
    expect(text).toMatch(/^# What is in it\?\n\n## You, /);
    for (const part of [
      '*Attached: notes.txt*',
      '**Tool: files › read** (running)',
      '`````\na ```` b\n`````',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('Hm.');
    expect(text).not.toContain('Lines.\n\n## ');
  });
});

const claude = [
  {
    uuid: 'c1',
    name: 'A trip',
    created_at: '2025-03-01T10:00:00.000000Z',
    updated_at: '2025-03-02T10:00:00.000000Z',
    account: { uuid: 'a' },
    chat_messages: [
      {
        uuid: 'm1',
        sender: 'human',
        text: 'Where to?',
        content: [{ type: 'text', text: 'Where to?' }],
        created_at: '2025-03-01T10:00:00Z',
        parent_message_uuid: '00000000-0000-4000-8000-000000000000',
        attachments: [{ file_name: 'list.txt', file_size: 4, extracted_content: 'Rome' }],
        files: [{ file_name: 'photo.jpg' }],
      },
      {
        uuid: 'm2',
        sender: 'assistant',
        text: '',
        content: [
          { type: 'thinking', thinking: 'Rome, says the list.' },
          { type: 'tool_use', id: 'tu1', name: 'web_search', input: { query: 'Rome' } },
          {
            type: 'tool_result',
            tool_use_id: 'tu1',
            name: 'web_search',
            content: [{ type: 'text', text: 'Sunny' }],
          },
          { type: 'text', text: 'To Rome.' },
        ],
        created_at: '2025-03-01T10:00:05Z',
        parent_message_uuid: 'm1',
        attachments: [],
        files: [],
      },
      { uuid: 'm3', sender: 'assistant', text: 'To Paris.', parent_message_uuid: 'm1' },
      { broken: true },
    ],
  },
  { uuid: 'c2', name: '', chat_messages: [] },
];

const node = (id: string, parent: string | null, message: unknown) => [
  id,
  { id, parent, children: [], message },
];
const said = (role: string, content: unknown, more: Record<string, unknown> = {}) => ({
  author: { role, name: null },
  create_time: 1_700_000_000.5,
  content,
  metadata: { model_slug: 'gpt-4o' },
  recipient: 'all',
  ...more,
});
const words = (text: string) => ({ content_type: 'text', parts: [text] });
const chatGpt = [
  {
    title: 'Sums',
    create_time: 1_700_000_000,
    update_time: 1_700_000_100,
    current_node: 'n6',
    mapping: Object.fromEntries([
      node('n0', null, null),
      node(
        'n1',
        'n0',
        said('system', words(''), { metadata: { is_visually_hidden_from_conversation: true } }),
      ),
      node(
        'n2',
        'n1',
        said('user', {
          content_type: 'multimodal_text',
          parts: [{ content_type: 'image_asset_pointer' }, 'Add them'],
        }),
      ),
      node(
        'n3',
        'n2',
        said('assistant', { content_type: 'code', language: 'python', text: '1+2' }, { recipient: 'python' }),
      ),
      node(
        'n4',
        'n3',
        said(
          'tool',
          { content_type: 'execution_output', text: '3' },
          { author: { role: 'tool', name: 'python' } },
        ),
      ),
      node('n5', 'n4', said('assistant', words('It is 3.'))),
      node('n6', 'n2', said('assistant', words('Three.'))),
      node('n7', 'n6', { author: 5 }),
    ]),
  },
];

describe('an import', () => {
  it('takes the data export of Claude: tool calls with results, attachments, versions', () => {
    const { conversations, skipped } = read(claude);
    expect(skipped).toBe(1);
    const { conversations: stored, archive } = open();
    const [id = ''] = archive.add(conversations);
    expect(stored.get(id)).toMatchObject({ title: 'A trip', createdAt: Date.parse('2025-03-01T10:00:00Z') });
    const all = stored.allMessages(id);
    expect(all.map(({ role, parentId }) => [role, parentId === all[0]?.id])).toEqual([
      ['user', false],
      ['assistant', true],
      ['assistant', true],
    ]);
    expect(all[0]?.blocks).toMatchObject([
      { type: 'attachment', name: 'list.txt', text: 'Rome' },
      { type: 'attachment', name: 'photo.jpg' },
      { type: 'text', text: 'Where to?' },
    ]);
    expect(all[1]?.blocks).toMatchObject([
      { type: 'thinking' },
      { type: 'toolCall', modelName: 'web_search', status: 'done', result: { content: [{ text: 'Sunny' }] } },
      { type: 'text', text: 'To Rome.' },
    ]);
  });

  it('takes the data export of ChatGPT, also as a zip in parts: answers joined, the shown version shown', () => {
    const archive = zipSync({
      'x/conversations-000.json': strToU8(JSON.stringify(chatGpt)),
      'chat.html': strToU8('x'),
    });
    const { conversations } = readImport(archive);
    const { conversations: stored, archive: into } = open();
    const [id = ''] = into.add(conversations);
    expect(stored.get(id)).toMatchObject({ title: 'Sums', updatedAt: 1_700_000_100_000 });
    const [question, answer] = stored.messages(id);
    expect(question?.blocks).toEqual([
      { type: 'text', text: '*(image asset pointer, not imported)*\n\nAdd them' },
    ]);
    expect(answer?.blocks).toEqual([{ type: 'text', text: 'Three.' }]);
    const other = stored
      .allMessages(id)
      .find(message => message.role === 'assistant' && message.id !== answer?.id);
    expect(other?.model).toBe('gpt-4o');
    expect(other?.blocks.map(block => (block.type === 'text' ? block.text : ''))).toEqual([
      '```python\n1+2\n```',
      '> *python:*\n> 3',
      'It is 3.',
    ]);
  });

  it.each([
    ['no JSON', '{"a":', /no JSON/],
    ['something else', { a: 1 }, /Nothing in it is a conversation/],
    ['an empty list', [], /Nothing in it is a conversation/],
    [
      'a damaged file of Parley',
      { format: 'parley.conversations', version: 1, exportedAt: '', conversations: [{}] },
      /conversations\.0\.title/,
    ],
    ['a newer file of Parley', { format: 'parley.conversations', version: 2 }, /damaged at version/],
  ])('says what is wrong with %s', (_name, value, why) => {
    expect(() => read(value)).toThrow(why);
  });

  it.each([
    ['a zip without conversations', zipSync({ 'a.txt': strToU8('x') }), /no conversations\.json/],
    ['a broken zip', strToU8('PK\u0003\u0004nonsense'), /archive cannot be read/],
    ['bytes', new Uint8Array([0xff, 0xfe, 0x00]), /not text/],
  ])('says what is wrong with %s', (_name, bytes, why) => {
    expect(() => readImport(bytes)).toThrow(why);
  });

  it('survives messages that follow each other in a circle', () => {
    const message = (uuid: string, parent: string) => ({
      uuid,
      sender: 'human',
      text: uuid,
      parent_message_uuid: parent,
    });
    const [conversation] = read([
      { name: 'Round', chat_messages: [message('a', 'b'), message('b', 'a')] },
    ]).conversations;
    expect(conversation?.messages.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['a', undefined],
      ['b', 'a'],
    ]);
  });
});

describe('a backup', () => {
  it('is put in place at the next start, and what was there is kept', () => {
    const dir = folder();
    const file = join(dir, 'parley.db');
    const backup = join(dir, 'mine.backup');
    const first = open(file);
    const { id } = first.conversations.create();
    first.conversations.rename(id, 'Kept');
    backUp(first.db, backup);
    first.conversations.delete(id);
    expect(lookIntoBackup(backup)).toEqual({ conversations: 1, allowing: 0 });
    prepareRestore(backup, file);
    expect(first.conversations.list()).toEqual([]);
    first.db.close();
    const kept = takeRestore(file);
    expect(open(file).conversations.list()).toMatchObject([{ id, title: 'Kept' }]);
    expect(existsSync(kept ?? '')).toBe(true);
    expect(takeRestore(file)).toBeUndefined();
  });

  it('that is none is refused, and changes nothing', () => {
    const dir = folder();
    const file = join(dir, 'x.backup');
    writeFileSync(file, 'not a database at all, but long enough to be looked at');
    expect(() => prepareRestore(file, join(dir, 'parley.db'))).toThrow(/no backup that can be read/);
    expect(() => lookIntoBackup(join(dir, 'missing'))).toThrow(/no backup that can be read/);
    const newer = open(join(dir, 'newer.db'));
    newer.db.exec('PRAGMA user_version = 1000');
    backUp(newer.db, file);
    expect(() => prepareRestore(file, join(dir, 'parley.db'))).toThrow(/newer Parley/);
    expect(takeRestore(join(dir, 'parley.db'))).toBeUndefined();
  });
});
