import type { ServerResponse } from 'node:http';
import { expect, it, vi } from 'vitest';
import { beginEvents, startFaultyHttp } from '../../e2e/faults/support/faultyHttp.ts';
import { reaches, startManager } from '../../e2e/support/manager.ts';
import { startRawHttp } from '../../e2e/support/rawHttp.ts';

const never = new AbortController().signal;

it('opens the stream of a legacy server anew and reads its lists, in the same session, while a call goes on', async () => {
  let tool = 'echo';
  const streams: ServerResponse[] = [];
  let finish = () => {};
  const { url, count, calls } = await startFaultyHttp('legacy', {
    get: ({ response }) => {
      beginEvents(response);
      response.flushHeaders();
      streams.push(response);
    },
    'tools/list': ({ response, sound }) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(sound.replace('"echo"', `"${tool}"`)),
    'tools/call': ({ behave }) => {
      finish = behave;
    },
  });
  const { manager, network } = await startManager({ remote: { url } });
  await reaches(manager, 'remote', 'ready');
  await vi.waitFor(() => expect(streams).toHaveLength(1));
  const call = manager.connection('remote')?.callTool('echo', {}, { signal: never });
  await vi.waitFor(() => expect(calls()).toBe(1));

  tool = 'renamed';
  network.renew();
  manager.wakeUp();
  await vi.waitFor(() => expect(streams).toHaveLength(2), { timeout: 10_000 });
  expect(streams[0]?.destroyed).toBe(true);
  await vi.waitFor(() =>
    expect(manager.connection('remote')?.tools.map(({ name }) => name)).toEqual(['renamed']),
  );
  finish();
  expect((await call)?.content).toEqual([{ type: 'text', text: 'ok' }]);
  expect([calls(), count('initialize'), count('ping')]).toEqual([1, 1, 1]);
  expect(manager.connection('remote')?.state).toBe('ready');
});

it('opens the subscription of a modern server anew', async () => {
  const listening: ServerResponse[] = [];
  const { url } = await startFaultyHttp('modern', {
    'server/discover': ({ response, sound }) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(sound.replace('"tools":{}', '"tools":{"listChanged":true}')),
    'subscriptions/listen': ({ response, id }) => {
      beginEvents(response);
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      const params = { notifications: { toolsListChanged: true }, _meta };
      const acknowledged = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params };
      response.write(`data: ${JSON.stringify(acknowledged)}\n\n`);
      listening.push(response);
    },
  });
  const { manager } = await startManager({ remote: { url } });
  await reaches(manager, 'remote', 'ready');
  await vi.waitFor(() => expect(listening).toHaveLength(1));
  manager.wakeUp();
  await vi.waitFor(() => expect(listening).toHaveLength(2), { timeout: 10_000 });
  expect(listening[0]?.destroyed).toBe(true);
  expect(manager.connection('remote')?.state).toBe('ready');
});

it('finds out that a server is gone without a call, and at the next waking that it is back', async () => {
  const first = await startRawHttp();
  const { manager, view } = await startManager({ remote: { url: first.url } });
  await reaches(manager, 'remote', 'ready');
  await first.close();
  manager.wakeUp();
  await reaches(manager, 'remote', 'failed');
  expect(view('remote')?.error?.code).toBe('server.refused');

  const second = await startRawHttp(undefined, Number(new URL(first.url).port));
  manager.wakeUp();
  // At once, and not after the pause.
  expect(view('remote')?.state).toBe('connecting');
  await reaches(manager, 'remote', 'ready');
  expect(second.count('initialize')).toBe(1);
});

it('leaves local servers and those that are switched off alone', async () => {
  const { url, received } = await startRawHttp();
  const { manager, view } = await startManager({
    off: { url, disabled: true },
    local: { command: 'no-such-program-anywhere' },
  });
  await reaches(manager, 'local', 'failed');
  manager.wakeUp();
  expect([view('off')?.state, view('local')?.state]).toEqual(['off', 'failed']);
  expect(received).toEqual([]);
});
