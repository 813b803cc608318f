import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { serveHttp } from '../../assets/sample-server/http.ts';
import { createSampleServer } from '../../assets/sample-server/server.ts';
import { World } from '../../assets/sample-server/world.ts';
import { reaches, sampleEntry, startManager } from '../../e2e/support/manager.ts';
import { startProxy } from '../../e2e/support/rawHttp.ts';
import { bundle } from '../../scripts/testing/bundle.mjs';
import type { Answer, Ask } from '../../shared/asks.ts';

const never = new AbortController().signal;

let built: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  built = await bundle('sampleServer');
}, 60_000);
afterAll(() => built.remove());

/** How the sample server is reached. Ends with the test. */
const ways: [string, () => Promise<Record<string, unknown>>][] = [
  ['stdio', async () => sampleEntry(built)],
  ['HTTP', async () => ({ url: (await startSample()).url })],
];

describe.each(ways)('the modern sample server over %s', (_way, entry) => {
  it('is connected, described, and calls a tool of each kind of result', async () => {
    const { view, call } = await startSampleManager(await entry());
    expect(view('sample')).toMatchObject({
      era: 'modern',
      protocolVersion: '2026-07-28',
      serverInfo: { title: 'Parley sample server' },
      instructions: expect.stringContaining('count-slowly'),
      notes: [],
    });
    expect(view('sample')?.counts.prompts).toBeGreaterThan(0);
    expect(text(await call('add', { a: 19, b: 23 }))).toBe('19 + 23 = 42');
    expect(await call('describe-text', { text: 'two words' })).toMatchObject({
      structuredContent: { words: 2 },
    });
    expect(await call('draw-chart', { values: [1, 2] })).toMatchObject({
      content: [{ type: 'image', mimeType: 'image/png' }, { type: 'text' }],
    });
    expect(await call('time-in', { zone: 'Nowhere/Land' })).toMatchObject({ isError: true });
  });

  it('tells when its list changed', async () => {
    const { manager, view, call } = await startSampleManager(await entry());
    const names = () => manager.connection('sample')?.tools.map(({ name }) => name) ?? [];
    let changes = 0;
    manager.onToolsChanged(() => {
      changes += 1;
    });
    expect(names()).not.toContain('surprise');
    await call('toggle-extra-tool');
    await vi.waitFor(() => expect(names()).toContain('surprise'), 10_000);
    expect(changes).toBeGreaterThan(0);
    expect(view('sample')?.counts.tools).toBe(names().length);
    expect(text(await call('surprise'))).toContain('Surprise!');
    await call('toggle-extra-tool');
    await vi.waitFor(() => expect(names()).not.toContain('surprise'), 10_000);
  });

  it('reports progress in its own words only, and stops when it is told to', async () => {
    const { call } = await startSampleManager(await entry());
    const said: (string | undefined)[] = [];
    const result = await call(
      'count-slowly',
      { steps: 3, stepMs: 5 },
      { onProgress: ({ message }) => said.push(message) },
    );
    expect(text(result)).toBe('Counted to 3.');
    expect(said).toEqual(['Counted to 1 of 3', 'Counted to 2 of 3', 'Counted to 3 of 3']);

    const stop = new AbortController();
    const stopped = call(
      'count-slowly',
      { steps: 1000, stepMs: 50 },
      { signal: stop.signal, onProgress: () => stop.abort() },
    );
    await expect(stopped).rejects.toMatchObject({ code: 'call.cancelled' });
    expect(text(await call('add', { a: 1, b: 1 }))).toContain('2');
  });

  it.each<[string, Answer, RegExp]>([
    [
      'accepts',
      { action: 'accept', content: { name: 'Ada', day: '2027-01-02', time: '20:30', guests: 3 } },
      /Booked for Ada: a table for 3/,
    ],
    ['declines', { action: 'decline' }, /the person declined/],
    ['cancels', { action: 'cancel' }, /closed the form/],
  ])('asks the person, who %s', async (_what, answer, words) => {
    const { asks, call } = await startSampleManager(await entry());
    const said: unknown[] = [];
    const booking = call('book-table', {}, { conversationId: 'c7', onProgress: step => said.push(step) });
    const ask = await nextAsk(asks);
    expect(ask).toMatchObject({
      kind: 'elicitation',
      server: 'sample',
      conversationId: 'c7',
      message: expect.any(String),
    });
    asks.answer(ask.id, answer);
    expect(text(await booking)).toMatch(words);
    // The SDK reports its own question rounds as progress; nobody wants to read those.
    expect(said).toEqual([]);
  });

  it('asks two questions in one round, each answered in its own way', async () => {
    const { asks, call } = await startSampleManager(await entry());
    const party = call('plan-party');
    await vi.waitFor(() => expect(asks.pending()).toHaveLength(2), 10_000);
    for (const ask of asks.pending()) {
      const food = ask.kind === 'elicitation' && ask.message.includes('eat');
      asks.answer(ask.id, food ? { action: 'accept', content: { dish: 'Cake' } } : { action: 'decline' });
    }
    expect(text(await party)).toMatch(/Food: Cake[\s\S]*Music: left to you/);
  });

  it('has its question taken back when the call is stopped', async () => {
    const { asks, events, call } = await startSampleManager(await entry());
    const stop = new AbortController();
    const booking = call('book-table', {}, { signal: stop.signal });
    const ask = await nextAsk(asks);
    stop.abort();
    await expect(booking).rejects.toMatchObject({ code: 'call.cancelled' });
    expect(asks.pending()).toEqual([]);
    expect(events).toContainEqual({ name: 'ask.closed', payload: { id: ask.id } });
  });
});

describe('the subscription to list changes', () => {
  it('is opened again when its connection drops, and what was missed meanwhile is read', async () => {
    const sample = await startSample();
    const proxy = await startProxy(sample.url);
    const { manager, call } = await startSampleManager({ url: proxy.url });
    const other = await startManager({ direct: { url: sample.url } });
    await reaches(other.manager, 'direct', 'ready');
    const toggle = () =>
      other.manager.connection('direct')?.callTool('toggle-extra-tool', {}, { signal: never });
    const names = () => manager.connection('sample')?.tools.map(({ name }) => name) ?? [];
    await toggle();
    await vi.waitFor(() => expect(names()).toContain('surprise'), 10_000);

    proxy.cut();
    await toggle();
    await vi.waitFor(() => expect(names()).not.toContain('surprise'), 15_000);
    await toggle();
    await vi.waitFor(() => expect(names()).toContain('surprise'), 15_000);
    expect(text(await call('add', { a: 1, b: 2 }))).toContain('3');
  });

  it('is not opened again after a graceful end', async () => {
    const [ended, dropped] = [await startListened(), await startListened()];
    const { manager } = await startManager({ ended: { url: ended.url }, dropped: { url: dropped.url } });
    for (const name of ['ended', 'dropped']) await reaches(manager, name, 'ready');
    await vi.waitFor(() => expect([ended.streams.length, dropped.streams.length]).toEqual([1, 1]), 10_000);

    const [graceful] = ended.streams as [ServerResponse];
    const over = once(graceful, 'close');
    await ended.renew();
    await over;
    // The witness: its stream is opened again after the same pause that the other one would have taken.
    dropped.streams[0]?.destroy();
    await vi.waitFor(() => expect(dropped.streams).toHaveLength(2), 10_000);
    expect(ended.streams).toHaveLength(1);
    const result = await manager.connection('ended')?.callTool('add', { a: 1, b: 2 }, { signal: never });
    expect(JSON.stringify(result)).toContain('= 3');
  });
});

/** The sample server over HTTP with its open subscription streams; `renew` ends them as a server does that restarts. */
async function startListened() {
  const world = new World();
  const begin = () => createMcpHandler(() => createSampleServer(world));
  let handler = begin();
  const streams: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.headers['mcp-method'] === 'subscriptions/listen') streams.push(response);
    void (toNodeHandler(handler) as RequestListener)(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    await handler.close();
    await world.close();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const renew = async () => {
    const old = handler;
    handler = begin();
    await old.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, streams, renew };
}

async function startSample() {
  const { url, close } = await serveHttp(0);
  onTestFinished(close);
  return { url };
}

async function startSampleManager(entry: Record<string, unknown>) {
  const bench = await startManager({ sample: entry });
  await reaches(bench.manager, 'sample', 'ready');
  const call = async (
    tool: string,
    args: Record<string, unknown> = {},
    options: Partial<
      Parameters<NonNullable<ReturnType<typeof bench.manager.connection>>['callTool']>[2]
    > = {},
  ) => {
    const connection = bench.manager.connection('sample');
    if (!connection) throw new Error('The sample server is not there.');
    return connection.callTool(tool, args as never, { signal: never, ...options });
  };
  return { ...bench, call };
}

async function nextAsk(asks: { pending(): Ask[] }): Promise<Ask> {
  return vi.waitFor(
    () => {
      const [ask] = asks.pending();
      if (!ask) throw new Error('No question is open.');
      return ask;
    },
    { timeout: 10_000 },
  );
}

function text(result: { content: { type: string }[] }): string {
  const [first] = result.content as { type: string; text?: string }[];
  return first?.text ?? '';
}
