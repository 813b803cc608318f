import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { Policy } from '../../main/consent/policy.ts';
import { Registry } from '../../main/tools/registry.ts';
import type { JsonObject } from '../../shared/tools.ts';
import { startRawHttp } from '../support/rawHttp.ts';
import { startWithNeighbour } from './support/bench.ts';
import { startFaultyHttp } from './support/faultyHttp.ts';

/** Longer than the longest check, with the machine busy. */
const SOON_MS = 10_000;

/** Thirty definitions that each refer so often to the next. */
function chain(keyword: string, width: number, last: JsonObject): JsonObject {
  const $defs: JsonObject = { a30: last };
  for (let nth = 0; nth < 30; nth++)
    $defs[`a${nth}`] = { [keyword]: Array(width).fill({ $ref: `#/$defs/a${nth + 1}` }) };
  return $defs;
}

function nested(levels: number): JsonObject {
  let schema: JsonObject = { type: 'object' };
  for (let level = 0; level < levels; level++) schema = { type: 'object', properties: { a: schema } };
  return schema;
}

const ENDLESS_PATTERN = `^${'(a|a)'.repeat(30)}$`;

/** A server with these tools, its registry, and what answers its calls. */
async function startOffering(tools: JsonObject[], result?: JsonObject) {
  const { url, calls } = await startFaultyHttp('legacy', {
    'tools/list': ({ response, id }) => sendResult(response, id, { tools }),
    'tools/call': turn => (result ? sendResult(turn.response, turn.id, result) : turn.behave()),
  });
  const bench = await startWithNeighbour({ url });
  await bench.isReady();
  const { manager, db } = bench;
  const registry = new Registry({ manager, policy: new Policy(db), db, emit: () => undefined });
  return { ...bench, calls, registry, find: (name: string) => registry.find('faulty', name) };
}

function sendResult(response: ServerResponse, id: unknown, result: JsonObject): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

describe('a server whose input schemas', () => {
  it('are too deep, too large or refer to the network has those tools named, and its others used', async () => {
    const elsewhere = await startRawHttp();
    const many = Object.fromEntries(Array.from({ length: 20_100 }, (_, nth) => [`p${nth}`, {}]));
    const { find, call, neighbourIsWell } = await startOffering([
      { name: 'echo', inputSchema: { type: 'object' } },
      { name: 'deep', inputSchema: nested(150) },
      { name: 'wide', inputSchema: { type: 'object', properties: many } },
      {
        name: 'remote',
        inputSchema: { type: 'object', properties: { a: { $ref: `${elsewhere.origin}/s` } } },
      },
      { name: 'rooted', inputSchema: { $id: `${elsewhere.origin}/`, type: 'object', $ref: 'other.json' } },
    ]);
    expect(find('echo')?.info).toMatchObject({ enabled: true });
    for (const name of ['deep', 'wide', 'remote', 'rooted'])
      expect(find(name)?.info, name).toMatchObject({ enabled: false, unusable: expect.any(String) });
    expect((await call()).content).toEqual([{ type: 'text', text: 'ok' }]);
    expect(elsewhere.received).toEqual([]);
    await neighbourIsWell();
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'branch without end at their root',
      { anyOf: [{ $ref: '#/$defs/a0' }], $defs: chain('anyOf', 30, {}) },
      {},
    ],
    [
      'branch without end in a property',
      { properties: { a: { $ref: '#/$defs/a0' } }, $defs: chain('anyOf', 2, { type: 'string' }) },
      { a: 5 },
    ],
    [
      'branch without end where null is asked about',
      { properties: { a: { $ref: '#/$defs/a0' } }, $defs: chain('allOf', 2, { type: ['string', 'null'] }) },
      { a: null },
    ],
    [
      'go round in circles',
      { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { $ref: '#/$defs/a' } } },
      { a: 1 },
    ],
    [
      'are their own alternative',
      { anyOf: [{ $ref: '#' }], properties: { a: { $ref: '#' } } },
      { a: { a: {} } },
    ],
    [
      'hold a pattern without end',
      { properties: { a: { type: 'string', pattern: ENDLESS_PATTERN } } },
      { a: `${'a'.repeat(30)}b` },
    ],
    [
      'hold a pattern without end for names',
      { patternProperties: { [ENDLESS_PATTERN]: { type: 'string' } } },
      { [`${'a'.repeat(30)}b`]: 1 },
    ],
    [
      'are named like prototypes',
      { properties: JSON.parse('{"__proto__":{"type":"string"},"constructor":{}}') },
      { constructor: 1 },
    ],
    ['are no schemas at all', { properties: [], required: 'a', items: 7, $defs: 3, anyOf: {} }, { a: 1 }],
  ])('%s are done with in a bounded time, and the call is made', async (_what, schema, input) => {
    const { find, manager, calls, neighbourIsWell } = await startOffering([
      { name: 'echo', inputSchema: { type: 'object', ...schema } },
    ]);
    const began = performance.now();
    const decoded = find('echo')?.decode(input);
    expect(performance.now() - began).toBeLessThan(SOON_MS);
    const args = decoded && 'args' in decoded ? decoded.args : input;
    await manager.connection('faulty')?.callTool('echo', args, { signal: new AbortController().signal });
    expect(calls()).toBe(1);
    expect(({} as JsonObject).polluted).toBeUndefined();
    await neighbourIsWell();
  });
});

describe('a server whose output schema', () => {
  it.each<[string, JsonObject, unknown]>([
    ['branches without end', { $ref: '#/$defs/a0', $defs: chain('anyOf', 2, { type: 'string' }) }, { a: 5 }],
    [
      'goes round in circles',
      { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } } },
      { a: 1 },
    ],
    [
      'holds a pattern without end',
      { properties: { a: { pattern: ENDLESS_PATTERN } } },
      { a: `${'a'.repeat(30)}b` },
    ],
    [
      'has thousands of properties',
      {
        properties: Object.fromEntries(
          Array.from({ length: 4000 }, (_, nth) => [`p${nth}`, { type: 'string', minLength: 1 }]),
        ),
      },
      {},
    ],
    ['is deep', nested(200), {}],
    ['is no schema at all', { type: 7, properties: 3 }, {}],
  ])('%s costs a bounded time, and the result is there', async (_what, outputSchema, structuredContent) => {
    const result = { content: [], structuredContent };
    const tool = {
      name: 'echo',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', ...outputSchema },
    };
    const { call, neighbourIsWell } = await startOffering([tool], result as JsonObject);
    for (let nth = 0; nth < 2; nth++) {
      const began = performance.now();
      expect(await call()).toEqual(result);
      expect(performance.now() - began).toBeLessThan(SOON_MS);
    }
    await neighbourIsWell();
  });

  it('is in a dialect that nobody knows is not checked, and that is said; the other tools are', async () => {
    const $schema = 'https://example.com/my-dialect';
    const result = { content: [], structuredContent: { a: 1 } };
    const [inputSchema, outputSchema] = [{ type: 'object' }, { $schema, type: 'object', required: ['b'] }];
    const { find, call, view, neighbourIsWell } = await startOffering(
      [
        { name: 'echo', inputSchema, outputSchema },
        { name: 'odd', inputSchema: { $schema, type: 'object' } },
      ],
      result,
    );
    expect(await call()).toEqual(result);
    expect(find('echo')?.info).toMatchObject({ enabled: true, notes: [expect.stringContaining($schema)] });
    expect(find('odd')?.info).toMatchObject({ enabled: false, unusable: expect.stringContaining($schema) });
    expect(view('faulty')?.notes).toEqual([]);
    await neighbourIsWell();
  });

  it('refers to the network has nothing fetched', async () => {
    const elsewhere = await startRawHttp();
    const outputSchema = { type: 'object', properties: { a: { $ref: `${elsewhere.origin}/schema.json` } } };
    const result = { content: [], structuredContent: { a: 1 } };
    const { call } = await startOffering(
      [{ name: 'echo', inputSchema: { type: 'object' }, outputSchema }],
      result,
    );
    expect(await call()).toEqual(result);
    expect(elsewhere.received).toEqual([]);
  });
});

describe('a question whose schema', () => {
  it.each<[string, JsonObject]>([
    ['holds a pattern without end', { properties: { a: { type: 'string', pattern: ENDLESS_PATTERN } } }],
    [
      'branches without end',
      { properties: { a: { type: 'string' } }, $ref: '#/$defs/a0', $defs: chain('anyOf', 2, { not: {} }) },
    ],
  ])('%s is answered in a bounded time', async (_what, schema) => {
    let answered: JsonObject | undefined;
    const { url } = await startFaultyHttp('legacy', {
      'tools/call': ({ response, sound }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const params = { message: 'Well?', requestedSchema: { type: 'object', ...schema } };
        response.write(
          `data: ${JSON.stringify({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params })}\n\n`,
        );
        void vi
          .waitFor(() => expect(answered).toBeDefined(), 20_000)
          .then(() => response.end(`data: ${sound}\n\n`));
      },
      post: ({ response, message }) => {
        answered = message;
        response.writeHead(202).end();
      },
    });
    const { call, isReady, asks, neighbourIsWell } = await startWithNeighbour({ url });
    await isReady();
    const running = call();
    await vi.waitFor(() => expect(asks.pending()).toHaveLength(1));
    const began = performance.now();
    asks.answer(asks.pending()[0]?.id ?? '', { action: 'accept', content: { a: `${'a'.repeat(30)}b` } });
    expect((await running).content).toEqual([{ type: 'text', text: 'ok' }]);
    expect(performance.now() - began).toBeLessThan(SOON_MS);
    await neighbourIsWell();
  });
});
