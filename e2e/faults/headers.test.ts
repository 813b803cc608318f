import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../shared/tools.ts';
import { startWithNeighbour } from './support/bench.ts';
import { type Fault, startFaultyHttp, type Turn } from './support/faultyHttp.ts';

const OK = [{ type: 'text', text: 'ok' }];

function sendResult({ response, id }: { response: ServerResponse; id: unknown }, result: JsonObject): void {
  const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: complete }));
}

const tool = (name: string, header: unknown) => ({
  name,
  inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': header } } },
});

it('a tool whose header cannot be sent is left out with its name, and the others are used', async () => {
  const tools = [tool('echo', 'Region'), tool('spaced', 'not a header'), tool('numbered', 7)];
  const { url } = await startFaultyHttp('modern', { 'tools/list': turn => sendResult(turn, { tools }) });
  const { manager, view, call, isReady, neighbourIsWell } = await startWithNeighbour({ url });
  await isReady();
  expect(manager.connection('faulty')?.tools.map(({ name }) => name)).toEqual(['echo']);
  expect(view('faulty')?.notes.join('\n')).toMatch(/“spaced” was left out: .*x-mcp-header[\s\S]*“numbered”/);
  expect((await call()).content).toEqual(OK);
  await neighbourIsWell();
});

it('a call that is refused for its headers is sent again once, with those that the list names now', async () => {
  let header = 'Region';
  let isHopeless = false;
  const sent: (string | string[] | undefined)[] = [];
  const lists: Fault = turn => sendResult(turn, { tools: [tool('echo', header)] });
  const calls = (turn: Turn) => {
    const given = turn.request.headers[`mcp-param-${header.toLowerCase()}`];
    sent.push(given);
    if (given !== undefined && !isHopeless) return turn.behave();
    const error = { code: -32020, message: 'Header mismatch' };
    turn.response.writeHead(400, { 'content-type': 'application/json' });
    turn.response.end(JSON.stringify({ jsonrpc: '2.0', id: turn.id, error }));
  };
  const { url, calls: count } = await startFaultyHttp('modern', { 'tools/list': lists, 'tools/call': calls });
  const { manager, refusal, isReady, neighbourIsWell } = await startWithNeighbour({ url });
  await isReady();
  const call = () => {
    const connection = manager.connection('faulty');
    if (!connection) throw new Error('There is no such server.');
    return connection.callTool('echo', { a: 'eu' }, { signal: new AbortController().signal });
  };
  header = 'Zone';
  expect((await call()).content).toEqual(OK);
  expect(sent).toEqual([undefined, 'eu']);
  isHopeless = true;
  expect(await refusal(call())).toMatchObject({ message: expect.stringContaining('-32020') });
  expect(count()).toBe(4);
  await neighbourIsWell();
});
