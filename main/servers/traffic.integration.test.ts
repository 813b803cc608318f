import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startEverything } from '../../e2e/support/everything.ts';
import { ownServer, referenceServer, tempDir } from '../../e2e/support/host.ts';
import { nodeEntry, rawEntry, reaches, sampleEntry, startManager } from '../../e2e/support/manager.ts';
import { sendJson, startRawHttp } from '../../e2e/support/rawHttp.ts';
import { tasksIn } from '../../e2e/support/tasks.ts';
import { bundle } from '../../scripts/testing/bundle.mjs';
import type { TrafficEntry } from '../../shared/traffic.ts';
import { ServerOffers } from './offers.ts';

const never = new AbortController().signal;
let built: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  built = await bundle('sampleServer');
});
afterAll(() => built.remove());

/** What the entry holds, as a message. */
const messageOf = (entry: TrafficEntry | undefined) => JSON.parse(entry?.text ?? '');

describe('the messages of a legacy server', () => {
  it.each([
    ['stdio', async () => nodeEntry(referenceServer('everything'), ['stdio'])],
    ['Streamable HTTP', async () => ({ url: await startEverything('streamableHttp') })],
    ['HTTP+SSE', async () => ({ url: await startEverything('sse'), type: 'sse' })],
  ])('over %s are what went over the wire, each answer with its request', async (_transport, entry) => {
    const { manager } = await start(await entry());
    const result = await manager
      .connection('one')
      ?.callTool(
        'trigger-long-running-operation',
        { duration: 0.3, steps: 3 },
        { signal: never, onProgress() {} },
      );
    const entries = manager.traffic('one');
    const answer = entries.find(({ method, kind }) => method === 'tools/call' && kind === 'response');
    const request = entries.find(({ number }) => number === answer?.answers);
    expect(request).toMatchObject({
      direction: 'sent',
      kind: 'request',
      method: 'tools/call',
      id: answer?.id,
    });
    expect(messageOf(request)).toMatchObject({
      jsonrpc: '2.0',
      id: request?.id,
      method: 'tools/call',
      params: { name: 'trigger-long-running-operation', arguments: { duration: 0.3, steps: 3 } },
    });
    // The message of the server itself: nothing that was repaired is in it.
    expect(messageOf(answer)).toEqual({
      jsonrpc: '2.0',
      id: answer?.id,
      result: { content: result?.content },
    });
    expect(answer?.bytes).toBe(Buffer.byteLength(answer?.text ?? ''));
    expect(answer?.durationMs).toBeGreaterThan(200);
    expect(request?.durationMs).toBe(answer?.durationMs);
    const { progressToken } = messageOf(request).params._meta;
    const progress = entries.filter(({ method }) => method === 'notifications/progress').map(messageOf);
    expect(progress.map(({ params }) => params)).toMatchObject(
      [1, 2, 3].map(step => ({ progress: step, total: 3, progressToken })),
    );

    const kinds = () =>
      manager.traffic('one').map(({ direction, kind, method }) => `${direction} ${kind} ${method}`);
    await vi.waitFor(
      () =>
        expect(kinds()).toEqual(
          expect.arrayContaining([
            'sent request initialize',
            'received response initialize',
            'sent notification notifications/initialized',
            'received response tools/list',
            // What the server asks, some time after the start, and our answer.
            'received request roots/list',
            'sent response roots/list',
          ]),
        ),
      { timeout: 10_000 },
    );
    for (const { answers, number } of entries)
      if (answers !== undefined) expect(answers).toBeLessThan(number);
  });
});

describe('the messages of a modern server', () => {
  it('hold a call that is sent again with the answers of the person', async () => {
    const { manager, asks } = await start(sampleEntry(built));
    const call = manager.connection('one')?.callTool('book-table', {}, { signal: never });
    await vi.waitFor(() => expect(asks.pending()).toHaveLength(1));
    const content = { name: 'Ada', day: '2027-01-02', time: '20:30', guests: 3 };
    asks.answer(asks.pending()[0]?.id ?? '', { action: 'accept', content });
    await call;
    const calls = manager.traffic('one').filter(({ method }) => method === 'tools/call');
    expect(calls.map(({ direction, kind }) => `${direction} ${kind}`)).toEqual([
      'sent request',
      'received response',
      'sent request',
      'received response',
    ]);
    const [, asked, again] = calls.map(messageOf);
    expect(asked.result).toMatchObject({ resultType: 'input_required' });
    expect(JSON.stringify(again.params)).toContain('Ada');
    expect(calls[3]?.answers).toBe(calls[2]?.number);
  });

  it('do not show what only the server may understand', async () => {
    const { manager, asks } = await start(nodeEntry(ownServer('library.mjs')));
    const read = new ServerOffers(manager).read('one', 'lib://locked', { signal: never });
    for (const answer of ['1', '2', '3']) {
      await vi.waitFor(() => expect(asks.pending()).not.toHaveLength(0));
      asks.answer(asks.pending()[0]?.id ?? '', { action: 'accept', content: { it: answer } });
    }
    await read;
    const states = manager
      .traffic('one')
      .filter(({ method }) => method === 'resources/read')
      .map(messageOf)
      .flatMap(({ params, result }) => params?.requestState ?? result?.requestState ?? []);
    // Two that the server gave, and the two as they went back.
    expect(states).toEqual(Array(4).fill('[hidden]'));
  });

  it('hold the requests of extensions', async () => {
    const { path, remove } = await tempDir();
    onTestFinished(remove);
    const { manager } = await start(nodeEntry(ownServer('tasks.mjs'), [], { TASKS: path }));
    const tasks = tasksIn(path);
    const call = manager.connection('one')?.callTool('work', {}, { signal: never });
    const [id = ''] = await vi.waitFor(async () => {
      expect(await tasks.ids()).toHaveLength(1);
      return tasks.ids();
    });
    await tasks.finish(id, 'done');
    await call;
    const polled = manager.traffic('one').filter(({ method }) => method === 'tasks/get');
    expect(polled.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['request', 'response']));
    expect(messageOf(polled[0])).toMatchObject({ id: expect.stringMatching(/^parley-/) });
  });
});

describe('what a server sends', () => {
  it('is shown before any repair, and behind a text that does not belong to it', async () => {
    const reply = {
      jsonrpc: '2.0',
      id: '$id',
      result: { content: [{ type: 'odd', extra: null }], more: null },
    };
    const { manager } = await start(
      rawEntry({ REPLIES: JSON.stringify({ 'tools/call': reply }), NOISE: 'not protocol' }),
    );
    await manager.connection('one')?.callTool('echo', {}, { signal: never });
    const answer = manager.traffic('one').findLast(({ method }) => method === 'tools/call');
    expect(messageOf(answer)).toEqual({ ...reply, id: answer?.id });
    expect(manager.traffic('one').map(({ text }) => text)).not.toContain('not protocol');
  });

  it('is cut when it is large, and says how large', async () => {
    const content = [{ type: 'text', text: 'x'.repeat(1_000_000) }];
    const { url } = await startRawHttp((message, response) => {
      if (message.method !== 'tools/call') return false;
      sendJson(response, { id: message.id, result: { content } });
      return true;
    });
    const { manager } = await start({ url });
    await manager.connection('one')?.callTool('echo', {}, { signal: never });
    const answer = manager.traffic('one').findLast(({ method }) => method === 'tools/call');
    expect(answer).toMatchObject({ isCut: true, kind: 'response' });
    expect(answer?.bytes).toBeGreaterThan(1_000_000);
    expect(answer?.text.length).toBeLessThan(300_000);
  });

  it('is shown with its status when it is no answer', async () => {
    const { url } = await startRawHttp((message, response) => {
      if (message.method !== 'tools/call') return false;
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
      return true;
    });
    const { manager } = await start({ url });
    await expect(manager.connection('one')?.callTool('echo', {}, { signal: never })).rejects.toThrow();
    expect(manager.traffic('one').findLast(({ method }) => method === 'tools/call')).toMatchObject({
      kind: 'error',
      status: 502,
      text: '<h1>Bad gateway</h1>',
      durationMs: expect.any(Number),
    });
  });
});

describe('the secrets of a server', () => {
  it('are in none of its messages, neither when they are read nor when they are told', async () => {
    const content = [{ type: 'text', text: 'you sent top-s3cret' }];
    const { manager, events } = await start(
      rawEntry({ API_KEY: 'top-s3cret', RESULT: JSON.stringify({ content }) }),
    );
    manager.followTraffic('one', true);
    const args = { key: 'top-s3cret', password: 'hunter2' };
    await manager.connection('one')?.callTool('echo', args, { signal: never });
    const told = () => events.filter(({ name }) => name === 'server.traffic');
    await vi.waitFor(() => expect(JSON.stringify(told())).toContain('you sent'));
    for (const shown of [JSON.stringify(told()), JSON.stringify(manager.traffic('one'))]) {
      expect(shown).toContain('[hidden]');
      expect(shown).not.toMatch(/top-s3cret|hunter2/);
    }
  });
});

describe('recording', () => {
  it('can be switched off and on while the server runs; nobody is told unless they look', async () => {
    let recording = false;
    const { manager, events } = await start(rawEntry(), { recordsTraffic: () => recording });
    const call = () => manager.connection('one')?.callTool('echo', {}, { signal: never });
    await call();
    expect(manager.traffic('one')).toEqual([]);
    recording = true;
    await call();
    expect(manager.traffic('one')).toHaveLength(2);
    manager.clearTraffic('one');
    expect(manager.traffic('one')).toEqual([]);
    manager.followTraffic('one', true);
    await call();
    const told = () =>
      events.flatMap(event => (event.name === 'server.traffic' ? event.payload.entries : []));
    await vi.waitFor(() => expect(told().map(({ number }) => number)).toEqual([3, 4]));
    manager.followTraffic('one', false);
    await call();
    expect(manager.traffic('one')).toHaveLength(4);
    expect(told()).toHaveLength(2);
  });
});

async function start(entry: Record<string, unknown>, options?: Parameters<typeof startManager>[1]) {
  const bench = await startManager({ one: entry }, options);
  await reaches(bench.manager, 'one', 'ready');
  return bench;
}
