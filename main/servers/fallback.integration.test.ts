import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { startEverything } from '../../e2e/support/everything.ts';
import { reaches, startManager } from '../../e2e/support/manager.ts';
import { legacyResult, startRawHttp } from '../../e2e/support/rawHttp.ts';

const never = new AbortController().signal;

describe('a server that only knows the HTTP+SSE transport', () => {
  it.each([
    ['is found by itself', {}],
    ['is reached as its entry says', { type: 'sse' }],
  ])('%s, and works with its questions and progress', async (_how, type) => {
    const { manager, asks, view } = await startManager({
      old: { url: await startEverything('sse'), ...type },
    });
    await reaches(manager, 'old', 'ready');
    expect(view('old')).toMatchObject({
      era: 'legacy',
      eraReason: 'transport',
      notes: [expect.stringContaining('HTTP+SSE')],
    });
    const connection = manager.connection('old');
    const echo = await connection?.callTool('echo', { message: 'hi' }, { signal: never });
    expect(echo?.content).toEqual([{ type: 'text', text: 'Echo: hi' }]);
    const onProgress = vi.fn();
    const work = { duration: 0.4, steps: 2 };
    await connection?.callTool('trigger-long-running-operation', work, { signal: never, onProgress });
    expect(onProgress).toHaveBeenCalledWith(expect.objectContaining({ total: 2 }));
    const asking = connection?.callTool(
      'trigger-elicitation-request',
      {},
      { signal: never, conversationId: 'c' },
    );
    await vi.waitFor(() => expect(asks.pending()).toHaveLength(1), 10_000);
    expect(asks.pending()[0]).toMatchObject({ kind: 'elicitation', server: 'old', conversationId: 'c' });
    asks.answer(asks.pending()[0]?.id ?? '', { action: 'decline' });
    expect(JSON.stringify(await asking)).toContain('declined');
  });

  it('gets the configured headers with every request', async () => {
    const { url, received } = await startSse();
    const { manager } = await startManager({ old: { url, headers: { 'X-Api-Key': 'key' } } });
    await reaches(manager, 'old', 'ready');
    await manager.connection('old')?.callTool('echo', {}, { signal: never });
    expect(received.map(({ method }) => method)).toEqual(expect.arrayContaining(['GET', 'POST']));
    for (const { headers } of received) expect(headers).toMatchObject({ 'x-api-key': 'key' });
  });

  it('is connected anew when its stream ends, instead of staying connected to nothing', async () => {
    const { url, streams } = await startSse();
    const { manager, view } = await startManager({ old: { url } });
    await reaches(manager, 'old', 'ready');
    const since = view('old')?.since;
    for (const stream of streams) stream.end();
    await vi.waitFor(() => expect(view('old')?.since).not.toBe(since), 10_000);
    await reaches(manager, 'old', 'ready');
    const result = await manager.connection('old')?.callTool('echo', {}, { signal: never });
    expect(result?.content).toEqual([{ type: 'text', text: 'ok' }]);
  });

  it('that names an address of another origin is not used, and nothing arrives there', async () => {
    const thief = await startRawHttp();
    const { url } = await startSse({ endpoint: thief.url });
    const { manager, view } = await startManager({ old: { type: 'sse', url, headers: { Secret: 'very' } } });
    await reaches(manager, 'old', 'failed');
    expect(view('old')?.error?.message).toMatch(/origin/);
    expect(thief.received).toEqual([]);
  });

  it('that is not there says so as any other', async () => {
    const { url, close } = await startSse();
    await close();
    const { manager, view } = await startManager({ old: { type: 'sse', url } });
    await reaches(manager, 'old', 'failed');
    expect(view('old')?.error).toMatchObject({ code: 'server.refused' });
  });

  it('that is redirected to another origin gets nothing there either', async () => {
    const thief = await startRawHttp();
    const { url } = await startRawHttp((_message, response) =>
      Boolean(response.writeHead(302, { location: thief.url }).end()),
    );
    const { manager } = await startManager({ old: { type: 'sse', url, headers: { Secret: 'very' } } });
    await reaches(manager, 'old', 'failed');
    expect(thief.received).toEqual([]);
  });
});

describe('the last resort', () => {
  it.each([400, 404, 405])(
    'is tried after %i; when it fails too, the first words are shown',
    async status => {
      const { url, received } = await startRawHttp((_message, response, { method }) =>
        Boolean(
          response
            .writeHead(method === 'POST' ? status : 406)
            .end(method === 'POST' ? 'the reason' : 'other'),
        ),
      );
      const { manager, view } = await startManager({ remote: { url } });
      await reaches(manager, 'remote', 'failed');
      expect(received.filter(({ method }) => method === 'GET')).toHaveLength(1);
      expect(view('remote')?.error?.message).toContain(String(status));
      expect(view('remote')?.error?.message).toContain('the reason');
    },
  );

  it.each([401, 403, 500, 503])('is not tried after %i', async status => {
    const { url, received } = await startRawHttp((_message, response) =>
      Boolean(response.writeHead(status).end('no')),
    );
    const { manager, view } = await startManager({ remote: { url } });
    await reaches(manager, 'remote', 'failed');
    expect(received.filter(({ method }) => method === 'GET')).toEqual([]);
    expect(view('remote')?.error?.message).toContain(String(status));
  });

  it('is not tried when only a later request is refused', async () => {
    const { url, received } = await startRawHttp((message, response) =>
      message.method === 'tools/list' ? Boolean(response.writeHead(404).end()) : false,
    );
    const { manager } = await startManager({ remote: { url } });
    await reaches(manager, 'remote', 'failed');
    // The listening stream of Streamable HTTP is a GET too; the old transport's one is sent no session id.
    const streams = received.filter(({ method }) => method === 'GET');
    for (const { headers } of streams) expect(headers['mcp-session-id']).toBe('s1');
  });
});

/** A server of the old transport without an SDK, which can misbehave on purpose. Ends with the test. */
async function startSse({ endpoint = '/messages?session=1' } = {}) {
  const streams: ServerResponse[] = [];
  const open = (response: ServerResponse) => {
    streams.push(response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
    return true;
  };
  const answer = (message: { id?: string | number; method?: string }, response: ServerResponse) => {
    response.writeHead(202).end('Accepted');
    const result = legacyResult(message);
    if (message.id === undefined) return true;
    const reply = result ? { result } : { error: { code: -32601, message: 'no such method' } };
    const json = JSON.stringify({ jsonrpc: '2.0', id: message.id, ...reply });
    streams.at(-1)?.write(`event: message\ndata: ${json}\n\n`);
    return true;
  };
  const raw = await startRawHttp((message, response, request: IncomingMessage) => {
    if (request.url === '/mcp' && request.method === 'GET') return open(response);
    if (request.url?.startsWith('/messages')) return answer(message, response);
    return Boolean(response.writeHead(405).end());
  });
  return { ...raw, streams };
}
