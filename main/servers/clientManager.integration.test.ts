import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ownServer, referenceServer, tempDir } from '../../e2e/support/host.ts';
import { nodeEntry, rawEntry, reaches, startManager } from '../../e2e/support/manager.ts';
import { isAlive } from '../../e2e/support/processes.ts';

const never = new AbortController().signal;

describe('real legacy servers over stdio', () => {
  it('connects everything, filesystem and memory in parallel and calls a tool of each', async () => {
    const { manager, view, dataDir } = await startManager({
      everything: nodeEntry(referenceServer('everything'), ['stdio']),
      memory: nodeEntry(referenceServer('memory')),
      files: nodeEntry(referenceServer('filesystem'), [process.cwd()]),
    });
    expect(manager.views().map(({ state }) => state)).toEqual(['connecting', 'connecting', 'connecting']);
    for (const name of ['everything', 'memory', 'files']) await reaches(manager, name, 'ready');
    expect(view('everything')).toMatchObject({ era: 'legacy', serverInfo: { version: expect.any(String) } });
    expect(view('everything')?.counts.prompts).toBeGreaterThan(0);
    const echoed = await manager
      .connection('everything')
      ?.callTool('echo', { message: 'héllo' }, { signal: never });
    expect(echoed?.content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('héllo') });
    const structured = await manager.connection('memory')?.callTool('read_graph', {}, { signal: never });
    expect(structured?.structuredContent).toBeDefined();
    expect(dataDir).toBeTruthy();
  });

  it('reports progress and stops a long call', async () => {
    const { manager } = await startManager({
      everything: nodeEntry(referenceServer('everything'), ['stdio']),
    });
    await reaches(manager, 'everything', 'ready');
    const stop = new AbortController();
    const progress: number[] = [];
    const call = manager.connection('everything')?.callTool(
      'trigger-long-running-operation',
      { duration: 30, steps: 300 },
      {
        signal: stop.signal,
        onProgress: step => {
          progress.push(step.progress);
          if (progress.length === 2) stop.abort();
        },
      },
    );
    await expect(call).rejects.toMatchObject({ code: 'call.cancelled' });
    expect(progress.length).toBeGreaterThanOrEqual(2);
    const alive = await manager
      .connection('everything')
      ?.callTool('echo', { message: 'still here' }, { signal: never });
    expect(alive?.isError).toBeFalsy();
  });

  it.each([
    ['accept', { action: 'accept', content: {} }],
    ['decline', { action: 'decline' }],
    ['cancel', { action: 'cancel' }],
  ] as const)('brings an elicitation to the person and the answer %s back', async (action, answer) => {
    const { manager, asks, events } = await startManager({
      everything: nodeEntry(referenceServer('everything'), ['stdio']),
    });
    await reaches(manager, 'everything', 'ready');
    const call = manager
      .connection('everything')
      ?.callTool('trigger-elicitation-request', {}, { signal: never, conversationId: 'c1' });
    await vi.waitFor(() => expect(asks.pending()).toHaveLength(1), { timeout: 10_000 });
    const [ask] = asks.pending();
    expect(ask).toMatchObject({ kind: 'elicitation', server: 'everything', conversationId: 'c1' });
    const content = { name: 'Ada', check: true };
    asks.answer(ask?.id as string, action === 'accept' ? { action, content } : answer);
    const result = await call;
    expect(JSON.stringify(result?.content)).toMatch(action === 'accept' ? /Ada/ : new RegExp(action, 'i'));
    expect(events.filter(event => event.name === 'ask.closed')).toHaveLength(1);
  });
});

describe('server states', () => {
  it('tells a missing command, a missing folder, an early end and a wrong entry apart, and hurts no other', async () => {
    const { manager, view } = await startManager({
      good: rawEntry(),
      nofile: { command: 'definitely-not-here' },
      baddir: { ...rawEntry(), cwd: '/no/such/dir' },
      exit2: { command: process.execPath, args: ['-e', "console.error('Missing API_KEY');process.exit(2)"] },
      exit0: { command: process.execPath, args: ['-e', '0'] },
      late: { command: process.execPath, args: ['-e', "process.stdin.once('data',()=>process.exit(1))"] },
      wrong: { comand: 'node' },
    });
    for (const name of ['nofile', 'baddir', 'exit2', 'exit0', 'late', 'wrong'])
      await reaches(manager, name, 'failed');
    await reaches(manager, 'good', 'ready');
    expect(view('nofile')?.error).toMatchObject({
      code: 'server.commandNotFound',
      hint: expect.stringContaining('/'),
    });
    expect(view('baddir')?.error).toMatchObject({ code: 'server.cwd' });
    expect(view('exit2')?.error?.message).toMatch(/exit code 2[\s\S]*Missing API_KEY/);
    expect(view('exit0')?.error?.message).toMatch(/exit code 0/);
    expect(view('late')?.error?.message).toMatch(/exit code 1/);
    expect(view('wrong')?.error?.message).toMatch(/command/);
  });

  it('connects a legacy server that ends at the first request it does not know', async () => {
    const { manager, view } = await startManager({ old: rawEntry({ DIE_ON_UNKNOWN: '1' }) });
    await reaches(manager, 'old', 'ready');
    expect(view('old')?.era).toBe('legacy');
  });

  it('keeps secrets of the entry out of views, log and errors', async () => {
    const secret = 'very-secret-value';
    const script = 'console.error("token is " + process.env.TOKEN); process.exit(4)';
    const { manager, events } = await startManager({
      leaky: { command: process.execPath, args: ['-e', script], env: { TOKEN: secret } },
    });
    await reaches(manager, 'leaky', 'failed');
    expect(manager.log('leaky').join()).toContain('token is [hidden]');
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it('ignores text on stdout, says so once, and keeps it in the log', async () => {
    const banner =
      '\n== my-server v1.2 ==\n┌────┐\n42\n"hello"\n{"level":"info","msg":"ready"}\n[]\nnpm warn deprecated x@1\n';
    const { manager, view } = await startManager({
      noisy: nodeEntry(ownServer('raw.mjs'), [JSON.stringify({ BANNER: banner, NOISE: 'loading… ┌─┐' })]),
    });
    await reaches(manager, 'noisy', 'ready');
    const result = await manager.connection('noisy')?.callTool('echo', {}, { signal: never });
    expect(result?.content).toEqual([{ type: 'text', text: 'ok' }]);
    expect(view('noisy')?.notes.filter(note => note.includes('stdout'))).toHaveLength(1);
    expect(manager.log('noisy')).toContain('┌────┐');
  });

  it.each([['7'], ['1']])('reads CRLF lines and characters cut every %s bytes', async CHUNK => {
    const text = 'naïve café 😀 שלום \u2028 end';
    const RESULT = JSON.stringify({ content: [{ type: 'text', text }] });
    const { manager } = await startManager({
      cut: rawEntry({ EOL: 'crlf', CHUNK, RESULT, BANNER: '\uFEFF' }),
    });
    await reaches(manager, 'cut', 'ready');
    const result = await manager.connection('cut')?.callTool('echo', {}, { signal: never });
    expect(result?.content).toEqual([{ type: 'text', text }]);
  });

  it('is not impressed by a flood on stderr and keeps a bounded log', async () => {
    const { manager } = await startManager({ loud: rawEntry({ FLOOD: '1' }) });
    await reaches(manager, 'loud', 'ready');
    await vi.waitFor(() => expect(manager.log('loud').length).toBe(1000), { timeout: 20_000 });
    const result = await manager.connection('loud')?.callTool('echo', {}, { signal: never });
    expect(result?.isError).toBeFalsy();
  });

  it('shows a dead server as failed with its end, and Restart brings it back at once', async () => {
    const { manager, view, dataDir } = await startManager({});
    const PIDFILE = join(dataDir, 'pid');
    await manager.add('mortal', { type: 'stdio', ...rawEntry({ PIDFILE }) });
    await reaches(manager, 'mortal', 'ready');
    const call = manager.connection('mortal')?.callTool('echo', {}, { signal: never });
    await call;
    process.kill(Number(await readFile(PIDFILE, 'utf8')), 'SIGKILL');
    await reaches(manager, 'mortal', 'failed');
    expect(view('mortal')?.error?.message).toContain('SIGKILL');
    await expect(manager.connection('mortal')?.callTool('echo', {}, { signal: never })).rejects.toMatchObject(
      {
        code: 'server.offline',
      },
    );
    await manager.restart('mortal');
    await reaches(manager, 'mortal', 'ready');
  });

  it('starts a server that died again by itself', async () => {
    const { manager, events, dataDir } = await startManager({});
    const PIDFILE = join(dataDir, 'pid');
    await manager.add('phoenix', { type: 'stdio', ...rawEntry({ PIDFILE }) });
    await reaches(manager, 'phoenix', 'ready');
    process.kill(Number(await readFile(PIDFILE, 'utf8')), 'SIGKILL');
    await reaches(manager, 'phoenix', 'failed');
    await reaches(manager, 'phoenix', 'ready');
    const states = events.flatMap(event => (event.name === 'server.changed' ? [event.payload.state] : []));
    expect(states.filter(state => state === 'failed')).toHaveLength(1);
  });

  it('waits for a first start that takes long, shows what it is doing, and then offers its tools', async () => {
    const { manager, view, dataDir } = await startManager({});
    const INIT_HELD = join(dataDir, 'installed');
    await manager.add('slow', { type: 'stdio', ...rawEntry({ INIT_HELD }) });
    await vi.waitFor(
      () => expect(view('slow')).toMatchObject({ state: 'connecting', activity: 'fetching 12%' }),
      10_000,
    );
    await writeFile(INIT_HELD, '');
    await reaches(manager, 'slow', 'ready');
    expect(view('slow')).toMatchObject({ counts: { tools: 1 } });
    expect(view('slow')?.activity).toBeUndefined();
  });
});

describe('ending', () => {
  it('gives a polite server time to save and kills a stubborn one, with everything it started', async () => {
    const { manager, dataDir, close } = await startManager({}, { dataDir: await keptDir() });
    const files = ['polite', 'stubborn'].map(name => join(dataDir, `${name}.pid`)) as [string, string];
    await manager.add('polite', {
      type: 'stdio',
      ...rawEntry({ PIDFILE: files[0], SAVES: join(dataDir, 'saved') }),
    });
    await manager.add('stubborn', { type: 'stdio', ...rawEntry({ PIDFILE: files[1], STUBBORN: '1' }) });
    for (const name of ['polite', 'stubborn']) await reaches(manager, name, 'ready');
    const pids = await Promise.all(files.map(async file => Number(await readFile(file, 'utf8'))));
    await close();
    expect(await readFile(join(dataDir, 'saved'), 'utf8')).toBe('saved');
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('leaves no second copy after off and on', async () => {
    const { manager, dataDir } = await startManager({});
    const PIDFILE = join(dataDir, 'pid');
    await manager.add('one', { type: 'stdio', ...rawEntry({ PIDFILE }) });
    await reaches(manager, 'one', 'ready');
    const first = Number(await readFile(PIDFILE, 'utf8'));
    await manager.setEnabled('one', false);
    await reaches(manager, 'one', 'off');
    await vi.waitFor(() => expect(isAlive(first)).toBe(false), 10_000);
    await manager.setEnabled('one', true);
    await reaches(manager, 'one', 'ready');
    expect(Number(await readFile(PIDFILE, 'utf8'))).not.toBe(first);
  });

  it('ends a running call with words when its server is switched off', async () => {
    const { manager } = await startManager({
      everything: nodeEntry(referenceServer('everything'), ['stdio']),
    });
    await reaches(manager, 'everything', 'ready');
    let started: () => void = () => undefined;
    const running = new Promise<void>(resolve => {
      started = resolve;
    });
    const call = manager
      .connection('everything')
      ?.callTool(
        'trigger-long-running-operation',
        { duration: 60, steps: 600 },
        { signal: never, onProgress: started },
      );
    await running;
    const ended = expect(call).rejects.toMatchObject({
      code: 'server.gone',
      message: expect.stringContaining('everything'),
    });
    await manager.setEnabled('everything', false);
    await ended;
  });
});

describe('malformed answers', () => {
  const replies = (extra: Record<string, unknown>) => ({ REPLIES: JSON.stringify(extra) });

  it('reads null as absent in lists', async () => {
    const tool = {
      name: 't',
      title: null,
      description: null,
      annotations: null,
      outputSchema: null,
      inputSchema: { type: 'object' },
    };
    const { manager, view } = await startManager({
      nulls: rawEntry(
        replies({
          'tools/list': {
            jsonrpc: '2.0',
            id: '$id',
            result: { tools: [tool, { nameless: true }], nextCursor: null },
          },
          'resources/list': { jsonrpc: '2.0', id: '$id', result: { resources: null } },
          'prompts/list': { jsonrpc: '2.0', id: '$id', result: { prompts: [] }, error: null },
        }),
      ),
    });
    await reaches(manager, 'nulls', 'ready');
    expect(manager.connection('nulls')?.tools.map(({ name }) => name)).toEqual(['t']);
    expect(view('nulls')?.notes.join()).toContain('without a name');
  });

  it.each<[string, unknown]>([
    ['null', { jsonrpc: '2.0', id: '$id', result: null }],
    ['a wrapped result', { jsonrpc: '2.0', id: '$id', result: { toolResult: { content: [] } } }],
  ])('ends a call answered with %s as an error and stays connected', async (_what, answer) => {
    const { manager, view } = await startManager({ odd: rawEntry(replies({ 'tools/call': answer })) });
    await reaches(manager, 'odd', 'ready');
    await expect(manager.connection('odd')?.callTool('echo', {}, { signal: never })).rejects.toMatchObject({
      code: expect.stringMatching(/call\.(malformed|protocol)/),
    });
    expect(view('odd')?.state).toBe('ready');
  });

  it('passes a protocol error on with its words', async () => {
    const error = { code: -32602, message: 'limit must be <= 100', data: { max: 100 } };
    const { manager } = await startManager({
      strict: rawEntry(replies({ 'tools/call': { jsonrpc: '2.0', id: '$id', error } })),
    });
    await reaches(manager, 'strict', 'ready');
    await expect(manager.connection('strict')?.callTool('echo', {}, { signal: never })).rejects.toMatchObject(
      {
        code: 'call.protocol',
        message: expect.stringMatching(/limit must be <= 100.*-32602.*"max":100/),
      },
    );
  });
});

/** A folder that outlives the manager, for what is looked at afterwards. */
async function keptDir(): Promise<string> {
  const { path, remove } = await tempDir();
  onTestFinished(remove);
  return path;
}
