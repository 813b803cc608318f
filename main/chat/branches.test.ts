import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Message } from '../../shared/chat.ts';
import type { HostEvent } from '../../shared/ipc.ts';
import { openDatabase } from '../database.ts';
import { HostEvents } from '../events.ts';
import { Branches } from './branches.ts';
import { Conversations } from './conversations.ts';
import { summarised } from './summary.ts';

/** A conversation with a branch at its first question and one at an answer of the newer version. */
function open() {
  const db = openDatabase(':memory:');
  onTestFinished(() => void (db.open && db.close()));
  const hostEvents = new HostEvents();
  const events: HostEvent[] = [];
  hostEvents.on(event => events.push(event));
  const conversations = new Conversations(db, hostEvents.emit);
  const branches = new Branches({ db, conversations, emit: hostEvents.emit });
  const { id } = conversations.create();
  const ask = (text: string, parentId?: string | null) =>
    conversations.addUserMessage(id, text, { parentId }).id;
  const answer = (text: string, parentId?: string) => {
    const message = conversations.beginAnswer(id, 'model-a', { parentId });
    conversations.setBlock(message, 0, { type: 'text', text });
    conversations.finish(message, 'complete', 'end_turn');
    return message.id;
  };
  const ids = {
    one: ask('one'),
    answerOne: answer('to one'),
    next: ask('next'),
    answerNext: answer('to next'),
    two: ask('two', null),
    answerTwo: answer('to two'),
    again: '',
  };
  ids.again = answer('to two again', ids.two);
  events.length = 0;
  const shown = () => textsOf(conversations.messages(id));
  return { db, conversations, branches, id, ids, events, shown, ask, answer };
}

function textsOf(messages: readonly Message[]): string[] {
  return messages.map(({ blocks: [block] }) => (block?.type === 'text' ? block.text : ''));
}

describe('branches', () => {
  it('begin at a version of a message, and the newest is shown; what was there stays behind it', () => {
    const { conversations, id, ids, shown } = open();
    expect(shown()).toEqual(['two', 'to two again']);
    const [two, again] = conversations.messages(id);
    expect(two).toMatchObject({ id: ids.two, versions: [ids.one, ids.two] });
    expect(two?.parentId).toBeUndefined();
    expect(again).toMatchObject({ parentId: ids.two, versions: [ids.answerTwo, ids.again] });
  });

  it('are gone on with where they end, and are shown again as they were written last', () => {
    const { branches, id, ids, shown, ask } = open();
    branches.show(id, ids.answerTwo);
    ask('and then?');
    expect(shown()).toEqual(['two', 'to two', 'and then?']);
    branches.show(id, ids.again);
    expect(shown()).toEqual(['two', 'to two again']);
    branches.show(id, ids.one);
    expect(shown()).toEqual(['one', 'to one', 'next', 'to next']);
    branches.show(id, ids.two);
    expect(shown()).toEqual(['two', 'to two', 'and then?']);
  });

  it('are told from where they part on', () => {
    const { branches, id, ids, events } = open();
    branches.show(id, ids.answerTwo);
    branches.show(id, ids.answerNext);
    branches.show(id, ids.one);
    const told = events.map(event =>
      event.name === 'branch.changed' ? [event.payload.after, textsOf(event.payload.messages)] : event.name,
    );
    expect(told).toEqual([
      [ids.two, ['to two']],
      [undefined, ['one', 'to one', 'next', 'to next']],
    ]);
  });

  it('of a message that is deleted go with it; the version beside it is shown, or what it followed', () => {
    const { conversations, branches, db, id, ids, shown, events } = open();
    branches.deleteFrom(id, ids.again);
    expect(shown()).toEqual(['two', 'to two']);
    expect(conversations.messages(id).at(-1)?.versions).toBeUndefined();
    branches.deleteFrom(id, ids.answerTwo);
    expect(shown()).toEqual(['two']);
    branches.deleteFrom(id, ids.two);
    expect(shown()).toEqual(['one', 'to one', 'next', 'to next']);
    branches.deleteFrom(id, ids.one);
    expect(shown()).toEqual([]);
    expect(db.prepare('SELECT COUNT(*) AS count FROM blocks').get()).toMatchObject({ count: 0 });
    const told = events.flatMap(event => (event.name === 'branch.changed' ? [event.payload] : []));
    expect(told.map(({ after, messages }) => [after, textsOf(messages)])).toEqual([
      [ids.two, ['to two']],
      [ids.two, []],
      [undefined, ['one', 'to one', 'next', 'to next']],
      [undefined, []],
    ]);
  });

  it('say so when a message is gone, or of another conversation', () => {
    const { conversations, branches, ids } = open();
    const other = conversations.create();
    const gone = expect.objectContaining({ code: 'message.notFound' });
    expect(() => branches.show(other.id, ids.one)).toThrow(gone);
    expect(() => branches.deleteFrom(other.id, ids.one)).toThrow(gone);
  });

  it('keep their summary in a fork: it stands for the copies there', () => {
    const { conversations, branches, id, ids } = open();
    const answer = conversations.beginAnswer(id, 'model-a', { parentId: ids.next });
    conversations.setBlock(answer, 0, {
      type: 'summary',
      text: 'One.',
      upTo: ids.answerOne,
      model: 'model-a',
      usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 },
    });
    conversations.setBlock(answer, 1, { type: 'text', text: 'after it' });
    conversations.finish(answer, 'complete', 'end_turn');
    const forkId = branches.fork(id, answer.id).id;
    const fork = conversations.messages(forkId);
    const { older, kept } = summarised(fork);
    // What it took was taken once.
    expect(conversations.usages(id)).toHaveLength(1);
    expect(conversations.usages(forkId)).toEqual([]);
    expect(textsOf(older)).toEqual(['one', 'to one']);
    expect(kept.map(({ blocks }) => blocks.length)).toEqual([1, 2]);
  });

  it('know the tools that were offered on each of them', () => {
    const { conversations, id, ids } = open();
    const offered = (parentId: string, names: string[]) => {
      const message = conversations.beginAnswer(id, 'model-a', { parentId });
      const before = conversations.toolsOfferedBefore(message);
      conversations.setOfferedTools(message, names);
      conversations.finish(message, 'complete');
      return { before, id: message.id };
    };
    const first = offered(ids.next, ['a']);
    expect(first.before).toBeUndefined();
    expect(offered(ids.two, ['b']).before).toBeUndefined();
    expect(offered(ids.next, ['c']).before).toBeUndefined();
    expect(offered(first.id, ['d']).before).toEqual(['a']);
  });
});

/** What somebody shows who knows only the events: the messages of the branch, by id. */
function follow(events: readonly HostEvent[]): string[] {
  let shown: string[] = [];
  const after = (parentId: string | undefined) => shown.slice(0, shown.indexOf(parentId ?? '') + 1);
  for (const event of events) {
    if (event.name === 'branch.changed')
      shown = [...after(event.payload.after), ...event.payload.messages.map(({ id }) => id)];
    else if (event.name === 'message.changed' && !shown.includes(event.payload.id))
      shown = [...after(event.payload.parentId), event.payload.id];
  }
  return shown;
}

type Step = { what: 'ask' | 'version' | 'show' | 'delete'; at: number };
const anySteps = fc.array(
  fc.record<Step>({ what: fc.constantFrom('ask', 'version', 'show', 'delete'), at: fc.nat(30) }),
  { maxLength: 25 },
);

it('whatever is done with branches, one whole branch is shown, and the events tell of it', () => {
  fc.assert(
    fc.property(anySteps, steps => {
      const { db, conversations, branches, id, ask, answer, events } = open();
      const all = () => conversations.allMessages(id);
      branches.deleteFrom(id, all()[0]?.id ?? '');
      branches.deleteFrom(id, all()[0]?.id ?? '');
      events.length = 0;
      for (const { what, at } of steps) {
        // Versions are written of what is shown.
        const choice = what === 'version' ? conversations.messages(id) : all();
        const some = choice[at % Math.max(1, choice.length)];
        if (what === 'ask' || !some) answer('to it', ask('more'));
        else if (what === 'version' && some.role === 'user') ask('other', some.parentId ?? null);
        else if (what === 'version') answer('other', some.parentId);
        else if (what === 'show') branches.show(id, some.id);
        else branches.deleteFrom(id, some.id);

        const shown = conversations.messages(id);
        expect(follow(events)).toEqual(shown.map(({ id }) => id));
        for (const [nth, { parentId }] of shown.entries()) expect(parentId).toBe(shown[nth - 1]?.id);
        const followers = all().filter(({ parentId }) => parentId === shown.at(-1)?.id);
        expect(shown.length === 0 ? all() : followers).toEqual([]);
        for (const each of all()) {
          const there = all().filter(({ parentId }) => parentId === each.parentId);
          expect(each.versions ?? [each.id]).toEqual(there.map(({ id }) => id));
        }
      }
      db.close();
    }),
    { numRuns: 60 },
  );
});
