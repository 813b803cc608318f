import { describe, expect, it, onTestFinished } from 'vitest';
import type { ToolCallBlock } from '../../shared/chat.ts';
import type { HostEvent } from '../../shared/ipc.ts';
import { openDatabase } from '../database.ts';
import { HostEvents } from '../events.ts';
import { Conversations } from './conversations.ts';
import { recoverInterrupted } from './interrupted.ts';

function open() {
  const db = openDatabase(':memory:');
  onTestFinished(() => void db.close());
  const hostEvents = new HostEvents();
  const events: HostEvent[] = [];
  hostEvents.on(event => events.push(event));
  const again = () => new Conversations(db, hostEvents.emit);
  return { db, events, emit: hostEvents.emit, conversations: again(), again };
}

const call = (status: ToolCallBlock['status']): ToolCallBlock => ({
  type: 'toolCall',
  id: 't1',
  modelName: 'x',
  input: { a: 1 },
  status,
});

describe('conversations', () => {
  it('are listed by recency and named by their first message, unless the person did', () => {
    const { conversations } = open();
    const first = conversations.create();
    const second = conversations.create();
    expect(conversations.list().map(({ id }) => id)).toEqual([second.id, first.id]);
    conversations.rename(second.id, 'Mine');
    conversations.addUserMessage(second.id, 'hello');
    conversations.addUserMessage(first.id, '  How do I\n bake bread?  ');
    conversations.addUserMessage(first.id, 'And cake?');
    expect(conversations.list().map(({ title }) => title)).toEqual(['How do I bake bread?', 'Mine']);
  });

  it('get a short name of a long message, never through the middle of a character', () => {
    const { conversations } = open();
    const title = (text: string) => {
      const { id } = conversations.create();
      conversations.addUserMessage(id, text);
      return conversations.get(id).title;
    };
    expect(title(`${'word '.repeat(30)}`)).toBe(`${'word '.repeat(12).trim()}…`);
    expect(title(`x${'🙂'.repeat(40)}`).isWellFormed()).toBe(true);
  });

  it('that are gone say so', () => {
    const { conversations, db } = open();
    const { id } = conversations.create();
    conversations.addUserMessage(id, 'hello');
    conversations.delete(id);
    for (const use of [
      () => conversations.messages(id),
      () => conversations.rename(id, 'x'),
      () => conversations.delete(id),
    ])
      expect(use).toThrow(expect.objectContaining({ code: 'conversation.notFound' }));
    expect(db.prepare('SELECT COUNT(*) AS count FROM blocks').get()).toMatchObject({ count: 0 });
  });
});

describe('an answer', () => {
  it('has each finished block on disk, and shows growing ones to whoever opens the conversation', () => {
    const { conversations, again } = open();
    const { id } = conversations.create();
    const answer = conversations.beginAnswer(id, 'model-a');
    conversations.setBlock(answer, 0, { type: 'text', text: 'done' });
    conversations.setBlock(answer, 1, { type: 'text', text: 'gro' }, { finished: false });
    conversations.appendToBlock(answer, 1, 'text', 'wing');
    expect(again().messages(id)[0]?.blocks).toEqual([{ type: 'text', text: 'done' }]);
    expect(conversations.messages(id)[0]?.blocks).toEqual([
      { type: 'text', text: 'done' },
      { type: 'text', text: 'growing' },
    ]);
    conversations.finish(answer, 'complete', 'end_turn');
    expect(again().messages(id)).toEqual(conversations.messages(id));
    expect(again().messages(id)[0]).toMatchObject({
      status: 'complete',
      stopReason: 'end_turn',
      model: 'model-a',
      blocks: [{ text: 'done' }, { text: 'growing' }],
    });
  });

  it('is told in events that do not change afterwards', () => {
    const { conversations, events } = open();
    const answer = conversations.beginAnswer(conversations.create().id, 'model-a');
    conversations.setBlock(answer, 0, { type: 'text', text: '' }, { finished: false });
    conversations.appendToBlock(answer, 0, 'text', 'hi');
    conversations.finish(answer, 'incomplete');
    const told = events.flatMap(event => (event.name === 'block.changed' ? [event.payload.block] : []));
    expect(told).toEqual([{ type: 'text', text: '' }]);
    const statuses = events.flatMap(event =>
      event.name === 'message.changed' ? [event.payload.status] : [],
    );
    expect(statuses).toEqual(['streaming', 'incomplete']);
  });
});

describe('after a crash', () => {
  it('what was being written is incomplete and its open calls are interrupted; nothing else changes', () => {
    const { conversations, db, emit, again } = open();
    const { id } = conversations.create();
    const before = conversations.beginAnswer(id, 'model-a');
    conversations.setBlock(before, 0, call('done'));
    conversations.finish(before, 'complete', 'tool_use');
    const cut = conversations.beginAnswer(id, 'model-a');
    (['done', 'running', 'waiting', 'pending', 'denied'] as const).forEach((status, index) => {
      conversations.setBlock(cut, index, call(status));
    });
    const restarted = again();
    recoverInterrupted(db, restarted, emit);
    const [first, second] = restarted.messages(id);
    expect(first).toMatchObject({ status: 'complete', blocks: [call('done')] });
    expect(second?.status).toBe('incomplete');
    expect(second?.blocks).toEqual(
      (['done', 'interrupted', 'interrupted', 'interrupted', 'denied'] as const).map(call),
    );
  });

  it('what another living process is writing is left alone', () => {
    const { conversations, db, emit, again } = open();
    const { id } = conversations.create();
    conversations.beginAnswer(id, 'model-a');
    db.prepare('UPDATE messages SET writer_pid = ?').run(process.ppid);
    recoverInterrupted(db, again(), emit);
    expect(conversations.messages(id)[0]?.status).toBe('streaming');
    // Written before the machine was started: whoever has that number now is somebody else.
    db.prepare('UPDATE messages SET created_at = 1').run();
    recoverInterrupted(db, again(), emit);
    expect(conversations.messages(id)[0]?.status).toBe('incomplete');
  });
});
