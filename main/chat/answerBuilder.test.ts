import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '../../shared/chat.ts';
import { HostError } from '../../shared/errors.ts';
import { AnswerBuilder } from './answerBuilder.ts';
import type { ModelEvent } from './model.ts';

/** Everything that comes out, and the error at the end if there was one. */
function build(events: readonly unknown[], abandoned = false) {
  const builder = new AnswerBuilder(0);
  const out: ModelEvent[] = [];
  for (const event of events) out.push(...builder.take(event as Parameters<AnswerBuilder['take']>[0]));
  try {
    for (const event of abandoned ? builder.abandon() : builder.end()) out.push(event);
  } catch (error) {
    return { out, error };
  }
  return { out, error: undefined };
}
const finished = (out: readonly ModelEvent[]): Block[] =>
  out.flatMap(event => (event.type === 'block' && event.done ? [event.block] : []));

const start = (index: number, content_block: unknown) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const delta = (index: number, value: unknown) => ({ type: 'content_block_delta', index, delta: value });
const json = (index: number, partial_json: string) =>
  delta(index, { type: 'input_json_delta', partial_json });
const stop = (index: number) => ({ type: 'content_block_stop', index });
const end = [{ type: 'message_delta', delta: { stop_reason: 'tool_use' } }, { type: 'message_stop' }];
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'x', input });

describe('an answer', () => {
  it('may bring the whole input of a call with its start, or none', () => {
    const { out } = build([start(0, use('a', { n: 1 })), stop(0), start(1, use('b')), stop(1), ...end]);
    expect(finished(out)).toMatchObject([
      { id: 'a', input: { n: 1 }, status: 'pending' },
      { id: 'b', input: {}, status: 'pending' },
    ]);
  });

  it('does not take a call for whole that is begun anew, never closed, or no object', () => {
    const begunAnew = [start(0, use('a')), json(0, '{"n":'), start(0, use('b')), json(0, '{"n":1}'), stop(0)];
    expect(finished(build([...begunAnew, ...end]).out)).toMatchObject([
      { id: 'a', status: 'failed', error: { code: 'call.cut' } },
      { id: 'b', status: 'pending', input: { n: 1 } },
    ]);
    const neverClosed = [start(0, use('a')), json(0, '{"n":1}'), ...end];
    expect(finished(build(neverClosed).out)).toMatchObject([{ status: 'failed' }]);
    const list = [start(0, use('a')), json(0, '[1]'), stop(0), ...end];
    expect(finished(build(list).out)).toMatchObject([{ status: 'failed' }]);
  });

  it('does not give back a block of an unknown kind that came in an unknown way', () => {
    const compaction = { type: 'compaction', content: null };
    const whole = build([start(0, compaction), stop(0), ...end]);
    expect(finished(whole.out)).toEqual([{ type: 'opaque', raw: compaction }]);
    const partly = build([
      start(0, compaction),
      delta(0, { type: 'compaction_delta', content: 'x' }),
      stop(0),
      ...end,
    ]);
    expect(finished(partly.out)).toEqual([]);
  });

  it('is whole without message_stop when it gave its reason, and not otherwise', () => {
    expect(build([start(0, { type: 'text', text: 'a' }), stop(0), end[0]]).error).toBeUndefined();
    expect(build([start(0, { type: 'text', text: 'a' }), stop(0)]).error).toMatchObject({
      code: 'model.cut',
    });
  });

  it('never ends as a fault of ours, whatever an endpoint sends, and every block that begins is finished', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), fc.boolean(), (events, abandoned) => {
        const { out, error } = build(events, abandoned);
        if (error !== undefined) expect(error).toBeInstanceOf(HostError);
        const begun = new Set<number>();
        const done: number[] = [];
        for (const event of out) {
          if (event.type === 'delta')
            expect(begun.has(event.index) && !done.includes(event.index)).toBe(true);
          if (event.type !== 'block') continue;
          if (event.done) done.push(event.index);
          begun.add(event.index);
        }
        expect(done.toSorted((a, b) => a - b)).toEqual([...begun].sort((a, b) => a - b));
        expect([...begun].sort((a, b) => a - b)).toEqual([...begun].map((_, at) => at));
      }),
      { numRuns: 2000 },
    );
  });
});

const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.record(
    {
      type: fc.constantFrom(
        ...['text', 'thinking', 'tool_use', 'redacted_thinking', 'news'],
        ...['text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta'],
      ),
      text: fc.jsonValue({ maxDepth: 0 }),
      thinking: fc.jsonValue({ maxDepth: 0 }),
      input: fc.jsonValue({ maxDepth: 1 }),
      partial_json: fc.constantFrom('{"a":', '1}', '{}', 7),
      stop_reason: fc.constantFrom('tool_use', null, 7),
    },
    { requiredKeys: [] },
  ),
);
const anyEvent = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(null, 7, {}, { type: 'ping' }) },
  {
    weight: 8,
    arbitrary: fc.record(
      {
        type: fc.constantFrom(
          ...[
            'content_block_start',
            'content_block_delta',
            'content_block_stop',
            'message_delta',
            'message_stop',
          ],
        ),
        index: fc.constantFrom(0, 1, undefined),
        content_block: anyValue,
        delta: anyValue,
      },
      { requiredKeys: ['type', 'index'] },
    ),
  },
);
