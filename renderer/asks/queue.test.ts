import { describe, expect, it } from 'vitest';
import type { Ask } from '../../shared/asks.ts';
import { asksFor, callsWith, countFor, moreOfServer } from './queue.ts';

const ask = (id: string, askedAt: number, conversationId?: string): Ask => ({
  kind: 'urlElicitation',
  id,
  server: 'sample',
  message: '',
  url: 'https://example.com',
  askedAt,
  ...(conversationId === undefined ? {} : { conversationId }),
});

describe('the queue of questions', () => {
  const asks = [ask('late', 3, 'one'), ask('other', 2, 'two'), ask('early', 1, 'one'), ask('nobody', 2)];

  it('shows the oldest first, with those that belong to no conversation', () => {
    expect(asksFor(asks, 'one').map(({ id }) => id)).toEqual(['early', 'nobody', 'late']);
  });

  it('shows what belongs to no conversation also when none is open', () => {
    expect(asksFor(asks, undefined).map(({ id }) => id)).toEqual(['nobody']);
  });

  it('counts for the list of conversations only what waits there', () => {
    expect([countFor(asks, 'one'), countFor(asks, 'two'), countFor(asks, 'three')]).toEqual([2, 1, 0]);
  });
});

describe('questions that go together', () => {
  const call = (id: string, conversationId?: string): Ask => ({
    kind: 'approval',
    id,
    server: 'sample',
    tool: 'add',
    callId: id,
    args: {},
    inputSchema: {},
    askedAt: 1,
    ...(conversationId === undefined ? {} : { conversationId }),
  });
  const ofServer = { ...ask('form', 1, 'one') };

  it('are the calls of one conversation', () => {
    const first = call('a', 'one');
    expect(callsWith([first, ofServer, call('b', 'one'), call('c')], first).map(({ id }) => id)).toEqual([
      'a',
      'b',
    ]);
  });

  it('are what one server asks there, and no calls', () => {
    const others = [
      ask('x', 2, 'one'),
      call('b', 'one'),
      ask('y', 3),
      { ...ask('z', 3, 'one'), server: 'other' },
    ];
    expect(moreOfServer([ofServer, ...others], ofServer)).toBe(1);
    expect(moreOfServer([call('a', 'one'), ofServer], call('a', 'one'))).toBe(0);
  });
});
