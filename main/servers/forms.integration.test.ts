import { describe, expect, it, vi } from 'vitest';
import { rawEntry, reaches, startManager } from '../../e2e/support/manager.ts';
import { startScriptedCall } from '../../e2e/support/scriptedCall.ts';
import type { JsonObject } from '../../shared/tools.ts';

/** The form of BC-29: all spellings of a choice, and properties outside the rules. */
const trip = {
  type: 'object',
  properties: {
    colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
    plan: {
      type: 'string',
      oneOf: [
        { const: 'p1', title: 'Free' },
        { const: 'p2', title: 'Team' },
      ],
      default: 'p2',
    },
    days: { type: 'array', items: { type: 'string', enum: ['mon', 'tue'] }, minItems: 1, default: ['tue'] },
    odd: { type: 'string', format: 'iban' },
    addr: { type: 'object', properties: { zip: { type: 'string' } } },
  },
  required: ['colour', 'days'],
};
const answer = { colour: 'r', plan: 'p2', days: ['tue'] };
const elicit = (requestedSchema: unknown) => ({
  method: 'elicitation/create',
  params: { message: 'Plan the trip', requestedSchema },
});

/** What no form can ask, and the field that the error must name. */
const impossible: [string, object, string][] = [
  ['an object', { properties: { addr: { type: 'object' } }, required: ['addr'] }, 'addr'],
  [
    'a list of objects',
    { properties: { rows: { type: 'array', items: { type: 'object' } } }, required: ['rows'] },
    'rows',
  ],
  [
    'a reference to elsewhere',
    { properties: { r: { $ref: 'https://a.test/s.json' } }, required: ['r'] },
    'r',
  ],
  [
    'a reference to itself',
    { properties: { loop: { $ref: '#/properties/loop' } }, required: ['loop'] },
    'loop',
  ],
  [
    'more choices than there are',
    { properties: { some: { type: 'array', items: { enum: ['a'] }, minItems: 2 } }, required: ['some'] },
    'some',
  ],
  ['no choices', { properties: { none: { type: 'string', enum: [] } }, required: ['none'] }, 'none'],
  ['a field that is not described', { properties: {}, required: ['ghost'] }, 'ghost'],
];

describe('a legacy server that asks in a form', () => {
  it('has also one asked that is partly outside the rules, and gets what fits its schema', async () => {
    const { asks, call, send, answer: answered, finish } = await startScriptedCall();
    const calling = call();
    await send({ id: 'q', ...elicit(trip) });
    await vi.waitFor(() => expect(asks.pending()).toHaveLength(1), 10_000);
    asks.answer(asks.pending()[0]?.id ?? '', { action: 'accept', content: answer });
    expect(await answered('q')).toEqual({ action: 'accept', content: answer });
    finish();
    await calling;
  });

  it.each(impossible)('is told by name that it cannot have %s', async (_what, schema, name) => {
    const { asks, call, send, answer: answered, finish } = await startScriptedCall();
    const calling = call();
    await send({ id: 'q', ...elicit({ type: 'object', ...schema }) });
    expect(await answered('q')).toMatchObject({
      code: -32602,
      message: expect.stringContaining(`“${name}”`),
    });
    expect(asks.pending()).toEqual([]);
    finish();
    await calling;
  });

  it('is told that 500 fields are too many', async () => {
    const { asks, call, send, answer: answered, finish } = await startScriptedCall();
    const calling = call();
    const properties = Object.fromEntries(
      Array.from({ length: 500 }, (_, nth) => [`f${nth}`, { type: 'string' }]),
    );
    await send({ id: 'q', ...elicit({ type: 'object', properties }) });
    expect(await answered('q')).toMatchObject({ code: -32602, message: expect.stringContaining('fields') });
    expect(asks.pending()).toEqual([]);
    finish();
    await calling;
  });

  it.each<[string, JsonObject, RegExp]>([
    ['misses what is required', { plan: 'p1' }, /colour/],
    ['is of another type', { ...answer, days: 'tue' }, /days/],
    ['is none of the choices', { ...answer, plan: 'p3' }, /plan/],
    ['holds nested values', { ...answer, addr: { zip: '1010' } }, /nested/],
  ])(
    'never gets an answer that %s: whoever gave it is told, and can give another',
    async (_what, wrong, words) => {
      const { asks, call, send, answer: answered, finish } = await startScriptedCall();
      const calling = call();
      await send({ id: 'q', ...elicit(trip) });
      await vi.waitFor(() => expect(asks.pending()).toHaveLength(1), 10_000);
      const id = asks.pending()[0]?.id ?? '';
      expect(() => asks.answer(id, { action: 'accept', content: wrong })).toThrow(
        expect.objectContaining({ code: 'ask.answer', message: expect.stringMatching(words) }),
      );
      expect(asks.pending()).toHaveLength(1);
      asks.answer(id, { action: 'decline' });
      expect(await answered('q')).toEqual({ action: 'decline' });
      finish();
      await calling;
    },
  );
});

describe('a modern server that asks in a form', () => {
  const start = async (requestedSchema: unknown) => {
    const result = { resultType: 'input_required', inputRequests: { form: elicit(requestedSchema) } };
    const started = await startManager({ raw: rawEntry({ ERA: 'modern', RESULT: JSON.stringify(result) }) });
    await reaches(started.manager, 'raw', 'ready');
    const stop = new AbortController();
    const call = started.manager.connection('raw')?.callTool('echo', {}, { signal: stop.signal });
    call?.catch(() => undefined);
    return { ...started, call, stop };
  };

  it('has also one asked that is partly outside the rules', async () => {
    const { asks, traffic, call, stop } = await start(trip).then(started => ({
      ...started,
      traffic: () => JSON.stringify(started.manager.traffic('raw')),
    }));
    await vi.waitFor(() => expect(asks.pending()).toHaveLength(1), 10_000);
    asks.answer(asks.pending()[0]?.id ?? '', { action: 'accept', content: answer });
    // This server asks again and again; what counts is what it was sent.
    await vi.waitFor(() => expect(asks.pending()).toHaveLength(1), 10_000);
    expect(traffic()).toContain('inputResponses');
    stop.abort();
    await expect(call).rejects.toMatchObject({ code: 'call.cancelled' });
  });

  it.each(impossible)(
    'ends its call with words about %s: it has no other way to hear of it',
    async (_what, schema, name) => {
      const { asks, call } = await start({ type: 'object', ...schema });
      await expect(call).rejects.toMatchObject({
        code: 'call.protocol',
        message: expect.stringContaining(`“${name}”`),
      });
      expect(asks.pending()).toEqual([]);
    },
  );
});

it('a form without fields is a question to agree to', async () => {
  const { asks, call, send, answer: answered, finish } = await startScriptedCall();
  const calling = call();
  await send({ id: 'q', ...elicit({ type: 'object', properties: {} }) });
  await vi.waitFor(() => expect(asks.pending()).toHaveLength(1), 10_000);
  asks.answer(asks.pending()[0]?.id ?? '', { action: 'accept', content: {} });
  expect(await answered('q')).toEqual({ action: 'accept', content: {} });
  finish();
  await calling;
});
