import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrapItem } from './carried.ts';
import { parseLine } from './rpc.ts';

const one = (line: string) => parseLine(line).messages[0] as unknown as Record<string, unknown>;

describe('a line of stdout', () => {
  it.each([
    '== my-server v1.2 ==',
    '┌────┐',
    '42',
    '"hello"',
    '{"level":"info"}',
    '[]',
    'npm warn x@1',
    '{',
    '{"jsonrpc":"1.0","method":"x"}',
    '{"jsonrpc":"2.0"}',
  ])('that is no message is noise: %s', line =>
    expect(parseLine(line)).toEqual({ messages: [], noise: line }),
  );

  it('may hold a reply behind a log text without a line end, but not a request: that is a log of one', () => {
    expect(parseLine('loading... {"jsonrpc":"2.0","id":2,"result":{}}')).toMatchObject({
      messages: [{ id: 2 }],
      noise: 'loading... ',
    });
    const echoed = 'got {"jsonrpc":"2.0","id":2,"method":"tools/call"}';
    expect(parseLine(echoed)).toEqual({ messages: [], noise: echoed });
  });

  it('may hold several messages in an array', () => {
    const batch = '[{"jsonrpc":"2.0","id":1,"result":{}},7,{"jsonrpc":"2.0","method":"notifications/x"}]';
    expect(parseLine(batch).messages).toHaveLength(2);
  });

  it('never makes the reader throw', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), line => void parseLine(line)));
  });
});

describe('a reply', () => {
  it.each<[string, string, object]>([
    [
      'error null beside a result',
      '{"jsonrpc":"2.0","id":4,"result":{"a":1},"error":null}',
      { id: 4, result: { a: 1 } },
    ],
    ['an id as text', '{"jsonrpc":"2.0","id":"7","result":{}}', { id: 7, result: {} }],
    [
      'a result that does not say that it is complete',
      '{"jsonrpc":"2.0","id":5,"result":{}}',
      { id: 5, result: { resultType: 'complete' } },
    ],
    [
      'a result that asks for input',
      '{"jsonrpc":"2.0","id":5,"result":{"resultType":"input_required"}}',
      { id: 5, result: { resultType: 'input_required' } },
    ],
    ['an empty array for an empty object', '{"jsonrpc":"2.0","id":6,"result":[]}', { id: 6, result: {} }],
    [
      'a list that is null',
      '{"jsonrpc":"2.0","id":3,"result":{"resources":null,"nextCursor":null}}',
      { id: 3, result: { resources: [] } },
    ],
    ['null for a result', '{"jsonrpc":"2.0","id":8,"result":null}', { id: 8, error: { code: -32603 } }],
    [
      'a list without a time to keep it',
      '{"jsonrpc":"2.0","id":9,"result":{"tools":[],"ttlMs":-5,"cacheScope":"all"}}',
      { id: 9, result: { ttlMs: 0, cacheScope: 'private' } },
    ],
  ])('with %s is repaired', (_what, line, message) => {
    expect(one(line)).toMatchObject(message);
    expect(Object.keys(one(line))).not.toContain('error' in message ? 'result' : 'error');
  });

  it('with an id that is no plain number keeps it', () => {
    for (const id of ['server-discover-probe-1', '1.5', '99999999999999999999'])
      expect(one(`{"jsonrpc":"2.0","id":"${id}","result":{}}`).id).toBe(id);
  });

  it('carries through the SDK what it does not know, and the items of lists, as they came', () => {
    const properties = { region: { type: 'string', 'x-mcp-header': 'Region' } };
    const seen = { name: 'ok', inputSchema: { type: 'object', properties } };
    const carried = [
      { name: 'plain', inputSchema: { type: 'object' } },
      { name: 'bare' },
      { name: 'union', inputSchema: { anyOf: [] } },
      'text',
      7,
      { name: 'x', inputSchema: { type: 'object', $schema: 5 } },
    ];
    const line = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [seen, ...carried] } });
    const { tools } = one(line).result as { tools: { name: string }[] };
    expect(tools[0]).toEqual(seen);
    expect(tools.slice(1).map(({ name }) => name)).toEqual(carried.map(() => '?'));
    expect(tools.map(unwrapItem)).toEqual([seen, ...carried]);

    const content = [{ type: 'text', text: 'a' }, { type: 'hologram', data: 1 }, null];
    const call = JSON.stringify({ jsonrpc: '2.0', id: 2, result: { content } });
    const items = (one(call).result as { content: unknown[] }).content;
    expect(items.map(unwrapItem)).toEqual(content);
    expect(items.slice(1)).toMatchObject([{ type: 'text' }, { type: 'text' }]);
  });
});
