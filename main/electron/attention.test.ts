import { describe, expect, it } from 'vitest';
import type { Ask } from '../../shared/asks.ts';
import { Asks } from '../consent/asks.ts';
import { HostEvents } from '../events.ts';
import { callForAttention } from './attention.ts';

const question = { kind: 'elicitation', server: 'sam\u202eple', message: 'm', schema: {} } as const;

/** A desktop that only writes down what it is told. */
function setUp(watched = false) {
  const events = new HostEvents();
  const asks = new Asks(events.emit);
  const state = { watched, badge: 0, shown: [] as string[], open: 0, clicks: [] as (() => void)[] };
  const showed: Ask[] = [];
  const attention = callForAttention(
    events,
    () => asks.pending(),
    {
      isWatched: () => state.watched,
      notify: (text, onClick) => {
        state.shown.push(text);
        state.clicks.push(onClick);
        state.open++;
        return () => state.open--;
      },
      setBadge: count => {
        state.badge = count;
      },
    },
    ask => showed.push(ask),
  );
  const answerFirst = () => asks.answer(asks.pending()[0]?.id ?? '', { action: 'decline' });
  return { asks, state, attention, showed, answerFirst };
}

describe('a question that nobody sees', () => {
  it('is announced by its server’s name and not in the server’s words, and leads to itself', () => {
    const { asks, state, showed } = setUp();
    void asks.ask({ ...question, message: 'Your account is locked' });
    expect(state.shown).toEqual(['sam[U+202E]ple asks you a question.']);
    state.clicks[0]?.();
    expect(showed).toEqual(asks.pending());
    expect(state.open).toBe(0);
  });

  it('is announced once for a whole flood, and the icon counts', () => {
    const { asks, state, answerFirst } = setUp();
    for (let n = 0; n < 20; n++) void asks.ask(question);
    expect([state.shown.length, state.open, state.badge]).toEqual([1, 1, 20]);
    for (let n = 0; n < 20; n++) answerFirst();
    expect([state.open, state.badge]).toEqual([0, 0]);
    void asks.ask(question);
    expect(state.shown.length).toBe(2);
  });

  it('is announced anew after the person was there', () => {
    const { asks, state, attention } = setUp();
    void asks.ask(question);
    attention.watched();
    expect(state.open).toBe(0);
    void asks.ask(question);
    expect(state.shown.length).toBe(2);
    attention.close();
    expect([state.open, state.badge]).toEqual([0, 0]);
  });
});

it('a question that is seen is not announced, only counted', () => {
  const { asks, state } = setUp(true);
  void asks.ask(question);
  expect([state.shown.length, state.badge]).toEqual([0, 1]);
});
