import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { serveHttp } from '../../assets/sample-server/http.ts';
import { referenceServer } from '../../e2e/support/host.ts';
import { nodeEntry, rawEntry, reaches, startManager } from '../../e2e/support/manager.ts';
import { sendJson, startRawHttp } from '../../e2e/support/rawHttp.ts';

const never = new AbortController().signal;
const TIMED_OUT = {
  code: 'call.timeout',
  message: expect.stringContaining('echo'),
  hint: expect.any(String),
};

describe('the time limit of a call', () => {
  it('ends a silent one in words, and the server goes on working', async () => {
    const { manager } = await startManager({
      silent: { ...rawEntry({ SILENT: 'tools/call', LOG: '1' }), timeoutMs: 200 },
    });
    await reaches(manager, 'silent', 'ready');
    const call = manager.connection('silent')?.callTool('echo', {}, { signal: never });
    await expect(call).rejects.toMatchObject(TIMED_OUT);
    expect(manager.connection('silent')?.state).toBe('ready');
    // The server hears that nobody waits any more.
    await vi.waitFor(() => expect(manager.log('silent').join()).toContain('notifications/cancelled'), 10_000);
  });

  it('begins anew with each progress', async () => {
    const { url, close } = await serveHttp(0);
    onTestFinished(close);
    const { manager } = await startManager({ sample: { url, timeoutMs: 3000 } });
    await reaches(manager, 'sample', 'ready');
    const began = Date.now();
    const count = manager
      .connection('sample')
      ?.callTool('count-slowly', { steps: 35, stepMs: 100 }, { signal: never });
    expect(JSON.stringify(await count)).toContain('Counted to 35');
    expect(Date.now() - began).toBeGreaterThan(3000);
  });

  it.each<[string, string, () => Promise<object>]>([
    [
      'legacy',
      'trigger-elicitation-request',
      async () => nodeEntry(referenceServer('everything'), ['stdio']),
    ],
    [
      'modern',
      'book-table',
      async () => {
        const { url, close } = await serveHttp(0);
        onTestFinished(close);
        return { url };
      },
    ],
  ])('stands still while a %s server asks the person', async (_era, tool, entry) => {
    const { manager, asks } = await startManager({
      asking: { ...(await entry()), timeoutMs: 2000 },
      silent: { ...rawEntry({ SILENT: 'tools/call' }), timeoutMs: 2000 },
    });
    for (const name of ['asking', 'silent']) await reaches(manager, name, 'ready');
    const asking = manager.connection('asking')?.callTool(tool, {}, { signal: never });
    await vi.waitFor(() => expect(asks.pending()).toHaveLength(1), 10_000);
    // The other call has the same limit and begins later: when it is over, the limit has passed for this one too.
    const silent = manager.connection('silent')?.callTool('echo', {}, { signal: never });
    await expect(silent).rejects.toMatchObject({ code: 'call.timeout' });
    const [ask] = asks.pending();
    expect(ask).toBeDefined();
    asks.answer(ask?.id ?? '', { action: 'decline' });
    expect(JSON.stringify(await asking)).toMatch(/declined/);
  });
});

describe('a call that cannot end well', () => {
  it('of a tool that ends its server says that it may have run', async () => {
    const { manager } = await startManager({ fragile: rawEntry() });
    await reaches(manager, 'fragile', 'ready');
    const call = manager.connection('fragile')?.callTool('exit', {}, { signal: never });
    await expect(call).rejects.toMatchObject({
      code: 'server.gone',
      message: expect.stringMatching(/“fragile” ended while “exit” was running/),
    });
    await reaches(manager, 'fragile', 'ready');
  });

  it('is not repeated by itself when its answer was lost', async () => {
    const { url, count } = await startRawHttp((message, response) =>
      message.method === 'tools/call' ? Boolean(response.destroy()) : false,
    );
    const { manager } = await startManager({ lossy: { url } });
    await reaches(manager, 'lossy', 'ready');
    const call = manager.connection('lossy')?.callTool('echo', {}, { signal: never });
    await expect(call).rejects.toMatchObject({ code: expect.stringMatching(/^(server|call)\./) });
    expect(count('tools/call')).toBe(1);
  });

  it('keeps the words of the server without its secrets', async () => {
    const secret = 'very-secret-token';
    const { url } = await startRawHttp((message, response) => {
      if (message.method !== 'tools/call') return false;
      sendJson(response, { id: message.id, error: { code: -32602, message: `bad header ${secret}` } });
      return true;
    });
    const { manager, events } = await startManager({
      leaky: { url, headers: { Authorization: `Bearer ${secret}` } },
    });
    await reaches(manager, 'leaky', 'ready');
    const error = await manager
      .connection('leaky')
      ?.callTool('echo', {}, { signal: never })
      .catch((failure: Error) => failure);
    expect(error).toMatchObject({
      code: 'call.protocol',
      message: expect.stringContaining('bad header [hidden]'),
    });
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it('takes its question back when the server goes', async () => {
    const { manager, asks } = await startManager({
      everything: nodeEntry(referenceServer('everything'), ['stdio']),
    });
    await reaches(manager, 'everything', 'ready');
    const call = manager
      .connection('everything')
      ?.callTool('trigger-elicitation-request', {}, { signal: never });
    await vi.waitFor(() => expect(asks.pending()).toHaveLength(1), 10_000);
    const ended = expect(call).rejects.toMatchObject({ code: 'server.gone' });
    await manager.restart('everything');
    await ended;
    expect(asks.pending()).toEqual([]);
  });
});
