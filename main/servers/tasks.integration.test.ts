import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ownServer, referenceServer, tempDir } from '../../e2e/support/host.ts';
import { nodeEntry, reaches, startManager } from '../../e2e/support/manager.ts';
import { startTasksHttp, tasksIn } from '../../e2e/support/tasks.ts';
import type { TaskHandle } from '../../shared/chat.ts';
import { QUIT } from '../quit.ts';
import type { Sample } from './types.ts';

const never = new AbortController().signal;

async function folderOf() {
  const { path, remove } = await tempDir();
  onTestFinished(remove);
  return path;
}

/** The tasks server over that transport, ready to be called. */
async function start(transport: 'stdio' | 'http', options: { sample?: Sample } = {}) {
  const folder = await folderOf();
  const http = transport === 'http' ? await startTasksHttp(folder) : undefined;
  if (http) onTestFinished(http.close);
  const entry = http ? { url: http.url } : nodeEntry(ownServer('tasks.mjs'), [], { TASKS: folder });
  const bench = await startManager({ tasks: entry }, options);
  await reaches(bench.manager, 'tasks', 'ready');
  expect(bench.view('tasks')?.era).toBe('modern');
  const seen: TaskHandle[] = [];
  const call = (args: Record<string, unknown>, signal = never) =>
    bench.manager
      .connection('tasks')
      ?.callTool('work', args, { signal, conversationId: 'c', onTask: task => seen.push(task) });
  const tasks = tasksIn(folder);
  const begun = () => vi.waitFor(() => (seen[0] as TaskHandle).id, 10_000);
  return { ...bench, ...tasks, http, folder, seen, call, begun };
}

const form = (message: string) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
});

describe.each(['stdio', 'http'] as const)(
  'a call that the server goes on with as a task, over %s',
  transport => {
    it('ends with the result of the task', async () => {
      const { call, begun, finish, seen } = await start(transport);
      const calling = call({});
      const id = await begun();
      expect(seen[0]).toMatchObject({ message: 'Half of it is done', ttlMs: 3_600_000, pollIntervalMs: 50 });
      await finish(id, 'All of it');
      expect(await calling).toEqual({ content: [{ type: 'text', text: 'All of it' }] });
    });

    it('ends with the error of a failed one, and with that of one that the server cancelled', async () => {
      const { call, begun, finish, seen } = await start(transport);
      const failing = call({});
      failing?.catch(() => undefined);
      await finish(await begun(), { status: 'failed', error: { code: -32603, message: 'out of paper' } });
      await expect(failing).rejects.toMatchObject({ code: 'task.failed', message: /out of paper/ });
      seen.length = 0;
      const cancelled = call({});
      cancelled?.catch(() => undefined);
      await finish(await begun(), { status: 'cancelled', statusMessage: 'Strike' });
      await expect(cancelled).rejects.toMatchObject({ code: 'task.cancelled', message: /Strike/ });
    });

    it('asks the person what it needs, each question once, and goes on with the answers', async () => {
      const { call, asks, finish, answers, begun, events } = await start(transport);
      const calling = call({ ask: { one: form('Who?'), two: form('And who else?') } });
      await vi.waitFor(() => expect(asks.pending()).toHaveLength(2), 10_000);
      const [first, second] = asks.pending();
      expect(first).toMatchObject({
        kind: 'elicitation',
        server: 'tasks',
        conversationId: 'c',
        message: 'Who?',
      });
      asks.answer(first?.id ?? '', { action: 'accept', content: { name: 'Ada' } });
      const id = await begun();
      await vi.waitFor(async () => expect(await answers(id)).toHaveProperty('one'), 10_000);
      asks.answer(second?.id ?? '', { action: 'decline' });
      await vi.waitFor(async () => expect(await answers(id)).toHaveProperty('two'), 10_000);
      expect(await answers(id)).toEqual({
        one: { action: 'accept', content: { name: 'Ada' } },
        two: { action: 'decline' },
      });
      await finish(id, 'Welcome');
      expect(JSON.stringify(await calling)).toContain('Welcome');
      expect(events.filter(({ name }) => name === 'ask.opened')).toHaveLength(2);
    });

    it('takes a question back when the task ends without the answer', async () => {
      const { call, asks, finish, begun } = await start(transport);
      const calling = call({ ask: { one: form('Who?') } });
      await vi.waitFor(() => expect(asks.pending()).toHaveLength(1), 10_000);
      await finish(await begun(), 'Never mind');
      expect(JSON.stringify(await calling)).toContain('Never mind');
      expect(asks.pending()).toEqual([]);
    });

    it('is cancelled by Stop, and left running when Parley ends', async () => {
      const { call, begun, cancelled, ids, seen } = await start(transport);
      const stop = new AbortController();
      const stopped = call({}, stop.signal);
      stopped?.catch(() => undefined);
      const id = await begun();
      stop.abort();
      await expect(stopped).rejects.toMatchObject({ code: 'call.cancelled' });
      expect(await cancelled()).toEqual([id]);
      seen.length = 0;
      const quit = new AbortController();
      const left = call({}, quit.signal);
      left?.catch(() => undefined);
      await begun();
      quit.abort(QUIT);
      await expect(left).rejects.toMatchObject({ code: 'call.left' });
      expect(await ids()).toHaveLength(2);
      expect(await cancelled()).toEqual([id]);
    });

    it('can be waited for again by its handle alone', async () => {
      const { manager, call, begun, finish, seen } = await start(transport);
      const quit = new AbortController();
      call({}, quit.signal)?.catch(() => undefined);
      const id = await begun();
      quit.abort(QUIT);
      const waiting = manager.connection('tasks')?.followTask(seen[0] as TaskHandle, { signal: never });
      await finish(id, 'There it is');
      expect(await waiting).toEqual({ content: [{ type: 'text', text: 'There it is' }] });
    });

    it('ends in words when the server does not know its task any more', async () => {
      const { manager } = await start(transport);
      const handle = {
        id: 'gone',
        createdAt: new Date().toISOString(),
        ttlMs: 1000,
        waiting: false,
        pollIntervalMs: 20,
      };
      await expect(manager.connection('tasks')?.followTask(handle, { signal: never })).rejects.toMatchObject({
        code: 'task.unknown',
        message: /not found/,
      });
    });
  },
);

describe('a task', () => {
  it('is asked for again when its server has been started anew', async () => {
    const { manager, view, call, begun, finish } = await start('stdio');
    const calling = call({});
    const id = await begun();
    const since = view('tasks')?.since;
    await manager.restart('tasks');
    await reaches(manager, 'tasks', 'ready');
    expect(view('tasks')?.since).not.toBe(since);
    await finish(id, 'After the restart');
    expect(JSON.stringify(await calling)).toContain('After the restart');
  });

  it('is asked for again when its remote server was away', async () => {
    const { http, folder, call, begun, finish } = await start('http');
    const calling = call({});
    const id = await begun();
    await http?.close();
    await finish(id, 'Back again');
    const again = await startTasksHttp(folder, http?.port);
    onTestFinished(again.close);
    expect(JSON.stringify(await calling)).toContain('Back again');
  });

  it('of a server that is away is given up when its time to live is over', async () => {
    const { http, call, begun } = await start('http');
    const long = new Date(Date.now() - 60_000).toISOString();
    const calling = call({ task: { createdAt: long, ttlMs: 1000 } });
    calling?.catch(() => undefined);
    await begun();
    await http?.close();
    await expect(calling).rejects.toMatchObject({ code: 'task.expired' });
  });

  it('may ask the language model and for folders, as a server may', async () => {
    const prompts: unknown[] = [];
    const sample: Sample = async request => {
      prompts.push(request.messages);
      return { model: 'm', content: [{ type: 'text', text: 'Hello' }], stopReason: 'endTurn' };
    };
    const { call, begun, answers, finish } = await start('stdio', { sample });
    const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 9 };
    const ask = { model: { method: 'sampling/createMessage', params }, folders: { method: 'roots/list' } };
    const calling = call({ ask });
    const id = await begun();
    await vi.waitFor(async () => expect(Object.keys(await answers(id))).toHaveLength(2), 10_000);
    expect(await answers(id)).toMatchObject({
      model: { role: 'assistant', content: { type: 'text', text: 'Hello' } },
      folders: { roots: [] },
    });
    expect(prompts).toEqual([[{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]]);
    await finish(id, 'ok');
    await calling;
  });

  it('that asks what nobody can answer is cancelled, and the call ends with the reason', async () => {
    const { call, begun, cancelled } = await start('stdio');
    const calling = call({ ask: { odd: { method: 'no/such' } } });
    calling?.catch(() => undefined);
    const id = await begun();
    await expect(calling).rejects.toMatchObject({ code: 'task.unanswered', message: /no\/such/ });
    expect(await cancelled()).toEqual([id]);
  });
});

describe('a tool of an old server that can only be called as a task', () => {
  async function startOld() {
    const bench = await startManager({ old: nodeEntry(referenceServer('everything'), ['stdio']) });
    await reaches(bench.manager, 'old', 'ready');
    const seen: TaskHandle[] = [];
    const call = (args: Record<string, unknown>, signal = never) =>
      bench.manager.connection('old')?.callTool('simulate-research-query', args, {
        signal,
        conversationId: 'c',
        onTask: task => seen.push(task),
      });
    return { ...bench, seen, call };
  }

  it('is called as one: it is waited for, asks the person, and gives its result', async () => {
    const { asks, call, seen } = await startOld();
    const calling = call({ topic: 'python', ambiguous: true });
    await vi.waitFor(() => expect(asks.pending()).toHaveLength(1), 20_000);
    expect(asks.pending()[0]).toMatchObject({ kind: 'elicitation', server: 'old', conversationId: 'c' });
    expect(seen.at(-1)).toMatchObject({ waiting: true, message: expect.stringContaining('python') });
    const content = { interpretation: 'programming' };
    asks.answer(asks.pending()[0]?.id ?? '', { action: 'accept', content });
    expect(JSON.stringify(await calling)).toMatch(/python/);
    expect(seen.map(({ message }) => message)).toContainEqual(expect.stringContaining('Gathering'));
  }, 40_000);

  it('is cancelled by Stop', async () => {
    const { manager, call, seen } = await startOld();
    const stop = new AbortController();
    const calling = call({ topic: 'snakes' }, stop.signal);
    calling?.catch(() => undefined);
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0), 10_000);
    stop.abort();
    await expect(calling).rejects.toMatchObject({ code: 'call.cancelled' });
    const handle = seen[0] as TaskHandle;
    await expect(manager.connection('old')?.followTask(handle, { signal: never })).rejects.toMatchObject({
      code: 'task.cancelled',
    });
  });
});
