import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Block, Message, ToolCallBlock } from '../../shared/chat.ts';
import type { HostEvent, NumberedEvent } from '../../shared/ipc.ts';
import { Broadcast } from './broadcast.ts';

const place = { conversationId: 'c', messageId: 'm' };
const delta = (text: string, index = 0): HostEvent => ({
  name: 'block.delta',
  payload: { ...place, index, kind: 'text', text },
});
const changed = (index: number, block: Block): HostEvent => ({
  name: 'block.changed',
  payload: { ...place, index, block },
});
const progress = (index: number, progress: number): HostEvent => {
  const call: ToolCallBlock = {
    type: 'toolCall',
    id: `${index}`,
    modelName: 'long__work',
    input: {},
    status: 'running',
    progress: { progress },
  };
  return changed(index, call);
};
const asked: HostEvent = { name: 'ask.closed', payload: { id: '1' } };
const turn = (phase: 'tools' | 'idle'): HostEvent => ({
  name: 'turn.changed',
  payload: { conversationId: 'c', phase },
});

function open() {
  const sent: NumberedEvent[][] = [];
  return { sent, broadcast: new Broadcast(events => sent.push(events)) };
}

describe('broadcast', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('merges the deltas of a moment into one for each block, sends them together and numbers without gaps', () => {
    const { sent, broadcast } = open();
    for (const text of ['a', 'b', 'c']) broadcast.accept(delta(text));
    broadcast.accept(delta('x', 1));
    expect(sent).toEqual([]);
    vi.runAllTimers();
    expect(sent).toEqual([
      [
        { ...delta('abc'), seq: 1 },
        { ...delta('x', 1), seq: 2 },
      ],
    ]);
    expect(broadcast.seq).toBe(2);
  });

  it('sends questions and the ends of turns at once, after all that came before them', () => {
    for (const urgent of [asked, turn('idle')]) {
      const { sent, broadcast } = open();
      broadcast.accept(delta('a'));
      broadcast.accept(progress(1, 1));
      broadcast.accept(urgent);
      broadcast.accept(delta('b'));
      expect(sent.map(events => events.map(({ name }) => name))).toEqual([
        ['block.delta', 'block.changed', urgent.name],
      ]);
      vi.runAllTimers();
      expect(sent.flat().map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    }
  });

  it('holds nothing but text for longer than a frame, also when text came first', () => {
    const { sent, broadcast } = open();
    broadcast.accept(delta('a'));
    vi.advanceTimersByTime(10);
    broadcast.accept(turn('tools'));
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(16);
    expect(sent).toHaveLength(1);
  });

  it('sends text alone at most once in two frames, however many tokens come', () => {
    const { sent, broadcast } = open();
    for (let ms = 0; ms < 1000; ms++) {
      for (let token = 0; token < 5; token++) broadcast.accept(delta('a'));
      vi.advanceTimersByTime(1);
    }
    vi.runAllTimers();
    expect(sent.length).toBeLessThanOrEqual(32);
    const text = sent.flat().map(({ payload }) => (payload as { text: string }).text);
    expect(text.join('')).toHaveLength(5000);
  });

  it('sends one message for each frame in a flood of progress, text, log lines and tokens of several calls', () => {
    const { sent, broadcast } = open();
    for (let ms = 0; ms < 1000; ms++) {
      for (let index = 1; index <= 4; index++) broadcast.accept(progress(index, ms));
      broadcast.accept(delta('a'));
      broadcast.accept({ name: 'server.logged', payload: { name: 'long', entries: [] } });
      broadcast.accept(turn('tools'));
      vi.advanceTimersByTime(1);
    }
    vi.runAllTimers();
    expect(sent.length).toBeLessThanOrEqual(63);
    for (const events of sent) {
      const blocks = events.flatMap(({ name, payload }) =>
        name === 'block.changed' ? [(payload as { index: number }).index] : [],
      );
      expect(new Set(blocks).size).toBe(blocks.length);
    }
    const last = sent.flat().findLast(({ name }) => name === 'block.changed');
    expect(last).toMatchObject(progress(4, 999));
  });

  it('leaves whoever listens with what the host has, whatever came in whatever order', () => {
    const anyStep = fc.record({
      what: fc.constantFrom('grow', 'grow', 'set', 'message', 'ask', 'wait'),
      index: fc.nat(2),
      text: fc.constantFrom('a', 'b', 'c'),
    });
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), steps => {
        const { sent, broadcast } = open();
        const blocks = ['', '', ''].map((text): Block & { text: string } => ({ type: 'text', text }));
        const seen = () => sent.flat().reduce(applied, ['', '', '']);
        const there = () => blocks.map(({ text }) => text);
        for (const { what, index, text } of steps) {
          const block = blocks[index] as { type: 'text'; text: string };
          if (what === 'grow') {
            block.text += text;
            broadcast.accept(delta(text, index));
          } else if (what === 'set') {
            block.text = text;
            broadcast.accept(changed(index, { ...block }));
          } else if (what === 'message') {
            broadcast.accept({ name: 'message.changed', payload: message(structuredClone(blocks)) });
          } else if (what === 'wait') {
            vi.advanceTimersByTime(7);
          } else {
            broadcast.accept(asked);
            expect(seen()).toEqual(there());
          }
        }
        vi.runAllTimers();
        expect(seen()).toEqual(there());
        expect(sent.flat().map(({ seq }) => seq)).toEqual(sent.flat().map((_event, at) => at + 1));
      }),
    );
  });
});

const message = (blocks: Block[]): Message => ({
  id: 'm',
  conversationId: 'c',
  role: 'assistant',
  blocks,
  createdAt: 1,
  status: 'streaming',
});

/** The texts of the blocks after an event, as a window would have them. */
function applied(texts: string[], event: HostEvent): string[] {
  if (event.name === 'block.delta')
    return texts.with(event.payload.index, texts[event.payload.index] + event.payload.text);
  if (event.name === 'block.changed')
    return texts.with(event.payload.index, (event.payload.block as { text: string }).text);
  if (event.name === 'message.changed')
    return event.payload.blocks.map(block => (block as { text: string }).text);
  return texts;
}
