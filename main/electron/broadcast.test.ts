import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HostEvent, NumberedEvent } from '../../shared/ipc.ts';
import { Broadcast } from './broadcast.ts';

const delta = (text: string, index = 0): HostEvent => ({
  name: 'block.delta',
  payload: { conversationId: 'c', messageId: 'm', index, kind: 'text', text },
});

describe('broadcast', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('merges the deltas of a moment into one and numbers without gaps', () => {
    const sent: NumberedEvent[] = [];
    const broadcast = new Broadcast(event => sent.push(event));
    for (const text of ['a', 'b', 'c']) broadcast.accept(delta(text));
    broadcast.accept(delta('x', 1));
    expect(sent).toEqual([]);
    vi.runAllTimers();
    expect(sent).toEqual([
      { ...delta('abc'), seq: 1 },
      { ...delta('x', 1), seq: 2 },
    ]);
    expect(broadcast.seq).toBe(2);
  });

  it('never lets another event overtake text that came before it', () => {
    const sent: NumberedEvent[] = [];
    const broadcast = new Broadcast(event => sent.push(event));
    broadcast.accept(delta('a'));
    broadcast.accept({ name: 'ask.closed', payload: { id: '1' } });
    broadcast.accept(delta('b'));
    vi.runAllTimers();
    expect(sent.map(event => event.name)).toEqual(['block.delta', 'ask.closed', 'block.delta']);
    expect(sent.map(event => event.seq)).toEqual([1, 2, 3]);
  });
});

it('sends at most one message of text for two frames, however many tokens come', () => {
  vi.useFakeTimers();
  try {
    const sent: NumberedEvent[] = [];
    const broadcast = new Broadcast(event => sent.push(event));
    for (let ms = 0; ms < 1000; ms++) {
      for (let token = 0; token < 5; token++) broadcast.accept(delta('a'));
      vi.advanceTimersByTime(1);
    }
    vi.runAllTimers();
    expect(sent.length).toBeLessThanOrEqual(32);
    expect(sent.map(({ payload }) => (payload as { text: string }).text).join('')).toHaveLength(5000);
  } finally {
    vi.useRealTimers();
  }
});
