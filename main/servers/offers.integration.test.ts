import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ownServer, referenceServer } from '../../e2e/support/host.ts';
import { nodeEntry, rawEntry, reaches, startManager } from '../../e2e/support/manager.ts';
import { startProxy } from '../../e2e/support/rawHttp.ts';
import { createLibrary, createShelf } from '../../e2e/support/servers/library.mjs';
import type { AskOf } from '../../shared/asks.ts';
import { ServerOffers } from './offers.ts';

const never = { signal: new AbortController().signal };
const WAIT = { timeout: 15_000 };

describe('a legacy server', () => {
  it('lists what it offers, and each of it can be read', async () => {
    const { offers } = await start(nodeEntry(referenceServer('everything'), ['stdio']));
    const list = await offers.list('one');
    expect(list).toMatchObject({ canFollow: true, canComplete: true, followed: [] });
    expect(list.resources.length).toBeGreaterThan(3);
    expect(list.templates).toContainEqual(
      expect.objectContaining({
        uriTemplate: 'demo://resource/dynamic/text/{resourceId}',
        variables: ['resourceId'],
      }),
    );
    expect(list.prompts).toContainEqual(
      expect.objectContaining({
        name: 'completable-prompt',
        title: 'Team Management',
        arguments: [
          { name: 'department', description: 'Choose the department.', required: true },
          expect.objectContaining({ name: 'name', required: true }),
        ],
      }),
    );
    const [first] = list.resources;
    expect((await offers.read('one', first?.uri ?? '', never))[0]?.text).toEqual(expect.any(String));
    const [blob] = await offers.read('one', 'demo://resource/dynamic/blob/1', never);
    expect(Buffer.from(blob?.blob ?? '', 'base64').toString()).toContain('Resource 1');
    await expect(offers.read('one', 'demo://nothing', never)).rejects.toMatchObject({
      code: 'resource.notFound',
    });
  });

  it('completes arguments by what is filled in, and fetches the prompt', async () => {
    const { offers } = await start(nodeEntry(referenceServer('everything'), ['stdio']));
    const ref = { type: 'prompt' as const, name: 'completable-prompt' };
    const ask = (name: string, value: string, context = {}) =>
      offers.complete('one', { ref, argument: { name, value }, context }, never);
    expect((await ask('department', 'S')).values).toEqual(['Sales', 'Support']);
    expect((await ask('name', '', { department: 'Sales' })).values).toEqual(['David', 'Eve', 'Frank']);
    const prompt = await offers.prompt('one', ref.name, { department: 'Sales', name: 'Eve' }, never);
    expect(prompt.messages).toMatchObject([
      { role: 'user', content: { type: 'text', text: 'Please promote Eve to the head of the Sales team.' } },
    ]);
    await expect(offers.prompt('one', ref.name, { name: 'Eve' }, never)).rejects.toMatchObject({
      code: 'prompt.arguments',
      message: expect.stringContaining('“department” is missing'),
    });
  });

  it('tells when a followed resource changes, also after a restart', async () => {
    const { offers, manager, updates } = await start(nodeEntry(referenceServer('everything'), ['stdio']));
    const uri = 'demo://resource/dynamic/text/1';
    await offers.follow('one', uri, true);
    await manager.connection('one')?.callTool('toggle-subscriber-updates', {}, never);
    await vi.waitFor(() => expect(updates()).toContain(uri), WAIT);

    const before = updates().length;
    await manager.restart('one');
    await reaches(manager, 'one', 'ready');
    // Nobody knows what happened meanwhile.
    await vi.waitFor(() => expect(updates().length).toBeGreaterThan(before), WAIT);
    expect((await offers.list('one')).followed).toEqual([uri]);
    await offers.follow('one', uri, false);
    expect((await offers.list('one')).followed).toEqual([]);
  });

  it('that cannot tell of changes refuses to be followed, in words', async () => {
    const { offers } = await start(rawEntry());
    await expect(offers.follow('one', 'raw://x', true)).rejects.toMatchObject({ code: 'resource.follow' });
  });

  it('says not found with either code', async () => {
    for (const code of [-32602, -32002]) {
      const reply = { jsonrpc: '2.0', id: '$id', error: { code, message: 'no such thing' } };
      const { offers } = await start(rawEntry({ REPLIES: JSON.stringify({ 'resources/read': reply }) }));
      await expect(offers.read('one', 'raw://x', never)).rejects.toMatchObject({
        code: 'resource.notFound',
        message: expect.stringContaining('no such thing'),
      });
    }
  });
});

describe.each([
  ['legacy', {}],
  ['modern', { ERA: 'modern' }],
])('one bad item of a %s server', (_era, env) => {
  const envelope = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  const reply = (result: object) => ({ jsonrpc: '2.0', id: '$id', result: { ...envelope, ...result } });
  it('never hides the others', async () => {
    const { offers, view } = await start(
      rawEntry({
        REPLIES: JSON.stringify({
          'resources/list': reply({
            resources: [
              { uri: 'raw://a' },
              { name: 'no address' },
              null,
              { uri: 'raw://b', name: 'b', icons: 7 },
            ],
          }),
          'resources/templates/list': reply({
            resourceTemplates: [{ uriTemplate: 'raw://{' }, { uriTemplate: 'raw://{x}', annotations: [] }],
          }),
          'prompts/list': reply({
            prompts: [{ name: 'p', arguments: [{ description: 'no name' }, { name: 'q' }] }, 'text'],
          }),
          'resources/read': reply({
            contents: [{ uri: 'raw://a', text: 'one' }, { uri: 'raw://a', blob: '***' }, { text: 5 }],
          }),
          'prompts/get': reply({
            messages: [
              { role: 'user', content: { type: 'text', text: 'hello' } },
              { role: 'system', content: { type: 'hologram' } },
            ],
          }),
        }),
        ...env,
      }),
    );
    const { resources, templates, prompts } = await offers.list('one');
    expect(resources.map(({ uri }) => uri)).toEqual(['raw://a', 'raw://b']);
    expect(templates).toEqual([
      { uriTemplate: 'raw://{x}', name: 'raw://{x}', annotations: {}, variables: ['x'] },
    ]);
    expect(prompts).toEqual([{ name: 'p', arguments: [{ name: 'q', required: false }] }]);
    expect(view('one')?.notes.join('\n')).toMatch(/without an address[\s\S]*no URI template/);
    expect(await offers.read('one', 'raw://a', never)).toEqual([
      { uri: 'raw://a', text: 'one' },
      { uri: 'raw://a', blob: '***' },
      { uri: '' },
    ]);
    expect((await offers.prompt('one', 'p', {}, never)).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'hello' } },
      { role: 'user', content: { type: 'hologram' } },
    ]);
  });
});

describe.each(['stdio', 'HTTP'])('a modern server over %s', way => {
  const library = async () =>
    way === 'stdio' ? nodeEntry(ownServer('library.mjs')) : { url: (await serve()).url };

  it.each(['resource', 'prompt'])(
    'asks in several rounds before it gives a %s, and gets its state back',
    async kind => {
      const { offers, asks } = await start(await library());
      const wanted =
        kind === 'resource'
          ? offers.read('one', 'lib://locked', never).then(([part]) => part?.text)
          : offers.prompt('one', 'interview', {}, never).then(({ messages }) => messages[0]?.content.text);
      await vi.waitFor(() => expect(asks.pending()).toHaveLength(2), WAIT);
      for (const ask of asks.pending())
        asks.answer(ask.id, { action: 'accept', content: { it: (ask as AskOf<'elicitation'>).message } });
      await vi.waitFor(() => expect(asks.pending()).toHaveLength(1), WAIT);
      asks.answer(asks.pending()[0]?.id ?? '', { action: 'decline' });
      const text = await wanted;
      expect(text).toMatch(/^second .*Your pin\?.*Your name\?.* third .*decline/);
    },
  );

  it('does not keep an answer that depends on what the person said', async () => {
    const { offers, asks, events } = await start(await library());
    for (const round of [1, 2]) {
      const reading = offers.read('one', 'lib://locked', never);
      await answerAll(asks, 3, reading);
      const opened = events.filter(event => event.name === 'ask.opened');
      expect(opened).toHaveLength(3 * round);
    }
  });

  it('that never stops asking is given up, in words', async () => {
    const { offers, asks } = await start(await library());
    const reading = offers.read('one', 'lib://endless', never);
    const outcome = expect(reading).rejects.toMatchObject({
      code: 'call.rounds',
      message: expect.stringMatching(/“lib:\/\/endless” kept asking.*after 10 rounds/),
    });
    await answerAll(asks, 10, reading);
    await outcome;
  });

  it('is asked again only for what it does not let be kept', async () => {
    const { offers } = await start(await library());
    const read = async (name: string, refresh = false) =>
      (await offers.read('one', `lib://${name}`, { ...never, refresh }))[0]?.text;
    expect([await read('fresh'), await read('fresh')]).toEqual(['read 1', 'read 2']);
    expect([await read('kept'), await read('kept')]).toEqual(['read 1', 'read 1']);
    expect([await read('kept', true), await read('kept')]).toEqual(['read 2', 'read 2']);
    const first = await read('brief');
    await vi.waitFor(async () => expect(await read('brief')).not.toBe(first), WAIT);
  });

  it('tells when a followed resource changes, and what was kept of it is dropped', async () => {
    const served = way === 'HTTP' ? await serve() : undefined;
    const { offers, manager, updates } = await start(
      served ? { url: served.url } : nodeEntry(ownServer('library.mjs')),
    );
    const uri = 'lib://kept';
    const read = async () => (await offers.read('one', uri, never))[0]?.text;
    expect(await read()).toBe('read 1');
    await offers.follow('one', uri, true);
    // The acknowledgement counts as news: whatever happened before it was not told.
    await vi.waitFor(() => expect(updates()).toEqual([uri]), WAIT);
    expect(await read()).toBe('read 1');
    // Over HTTP each request has an instance of its own: there the change is told through the handler.
    if (served) served.handler.notify.resourceUpdated(uri);
    else await manager.connection('one')?.callTool('touch', { uri }, never);
    await vi.waitFor(() => expect(updates()).toEqual([uri, uri]), WAIT);
    expect(await read()).toBe('read 2');
    await offers.follow('one', uri, false);
  });

  it('completes at most a hundred, with the other arguments in view', async () => {
    const { offers } = await start(await library());
    const ref = { type: 'resource' as const, uri: 'lib://pages/{book}{?number}' };
    const ask = (name: string, value: string, context = {}) =>
      offers.complete('one', { ref, argument: { name, value }, context }, never);
    const all = await ask('book', '');
    expect([all.values.length, all.hasMore]).toEqual([100, true]);
    expect((await ask('book', 'book14')).values).toHaveLength(11);
    expect((await ask('number', '', { book: 'b' })).values).toEqual(['b-1']);
    expect((await ask('number', '', { book: 'c' })).values).toEqual(['c-1']);
  });
});

describe('the lists of a modern server', () => {
  it('are read again once the subscription stands: what changed before it was not told', async () => {
    const shelf = createShelf();
    const library = await serve(shelf, (method, go) => {
      // The change comes after the lists were read, and before anybody could be told.
      if (method === 'subscriptions/listen') shelf.extra = true;
      go();
    });
    const { offers } = await start({ url: library.url });
    await vi.waitFor(
      async () => expect((await offers.list('one')).prompts.map(({ name }) => name)).toContain('extra'),
      WAIT,
    );
  });

  it('are read again when they are needed, where the server tells nothing', async () => {
    const shelf = createShelf();
    const library = await serve(shelf, (method, go, refuse) =>
      method === 'subscriptions/listen' ? refuse() : go(),
    );
    const { offers } = await start({ url: library.url });
    expect((await offers.list('one')).prompts.map(({ name }) => name)).not.toContain('extra');
    shelf.extra = true;
    await vi.waitFor(
      async () => expect((await offers.list('one')).prompts.map(({ name }) => name)).toContain('extra'),
      WAIT,
    );
  });

  it('and the followed resources come back after the connection was cut', async () => {
    const library = await serve();
    const proxy = await startProxy(library.url);
    const { offers, updates } = await start({ url: proxy.url });
    await offers.follow('one', 'lib://kept', true);
    await vi.waitFor(() => expect(updates()).toHaveLength(1), WAIT);
    proxy.cut();
    await vi.waitFor(() => expect(updates()).toHaveLength(2), WAIT);
    library.handler.notify.resourceUpdated('lib://kept');
    await vi.waitFor(() => expect(updates()).toHaveLength(3), WAIT);
  });
});

type Takeover = (method: string, go: () => void, refuse: () => void) => void;

/** The library over HTTP. Ends with the test. */
async function serve(shelf = createShelf(), takeover: Takeover = (_method, go) => go()) {
  const handler = createMcpHandler(() => createLibrary(shelf));
  const answer = toNodeHandler(handler) as RequestListener;
  const server = createServer((request, response) => {
    takeover(
      String(request.headers['mcp-method']),
      () => void answer(request, response),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    await handler.close();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, handler };
}

async function start(entry: Record<string, unknown>) {
  const bench = await startManager({ one: entry });
  await reaches(bench.manager, 'one', 'ready');
  const updates = () =>
    bench.events.flatMap(event => (event.name === 'resource.updated' ? event.payload.uri : []));
  return { ...bench, offers: new ServerOffers(bench.manager), updates };
}

type Bench = Awaited<ReturnType<typeof start>>;

/** Accepts so many questions, one after the other, as long as the work waits for them. */
async function answerAll(asks: Bench['asks'], count: number, work: Promise<unknown>): Promise<void> {
  let over = false;
  const end = work.then(
    () => undefined,
    () => undefined,
  );
  void end.then(() => {
    over = true;
  });
  for (let answered = 0; answered < count && !over; ) {
    const [ask] = asks.pending();
    if (!ask) {
      await new Promise(resolve => setImmediate(resolve));
      continue;
    }
    asks.answer(ask.id, { action: 'accept', content: { it: 'x' } });
    answered += 1;
  }
  await end;
}
