import { describe, expect, it, vi } from 'vitest';
import { reaches, startManager } from '../../e2e/support/manager.ts';
import { legacyResult, startRawHttp } from '../../e2e/support/rawHttp.ts';

const never = new AbortController().signal;

describe('ping', () => {
  it('of a server in the middle of a call is answered', async () => {
    let answered: (value: unknown) => void = () => undefined;
    const answer = new Promise(resolve => {
      answered = resolve;
    });
    const { url } = await startRawHttp((message, response) => {
      if (message.id === 'are-you-there') {
        answered(message);
        return Boolean(response.writeHead(202).end());
      }
      if (message.method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (body: object) =>
        response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...body })}\n\n`);
      send({ id: 'are-you-there', method: 'ping' });
      void answer.then(() => {
        send({ id: message.id, result: legacyResult(message) });
        response.end();
      });
      return true;
    });
    const { manager } = await startManager({ remote: { url } });
    await reaches(manager, 'remote', 'ready');
    await manager.connection('remote')?.callTool('echo', {}, { signal: never });
    expect(await answer).toEqual({ jsonrpc: '2.0', id: 'are-you-there', result: {} });
  });

  it('is how a legacy server is asked whether it is still there, when a call could not be delivered', async () => {
    const { url, count } = await startRawHttp((message, response) =>
      message.method === 'tools/call' ? Boolean(response.writeHead(503).end()) : false,
    );
    const { manager, view } = await startManager({ remote: { url } });
    await reaches(manager, 'remote', 'ready');
    const lists = count('tools/list');
    await expect(manager.connection('remote')?.callTool('echo', {}, { signal: never })).rejects.toMatchObject(
      {
        code: 'server.broken',
      },
    );
    await vi.waitFor(() => expect(count('ping')).toBe(1));
    // It knows no ping, and is there all the same.
    expect(view('remote')?.state).toBe('ready');
    expect(count('tools/list')).toBe(lists);
  });
});
