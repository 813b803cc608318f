import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { reaches, startManager } from '../../e2e/support/manager.ts';
import { legacyResult, sendJson, startRawHttp } from '../../e2e/support/rawHttp.ts';

const never = new AbortController().signal;

describe('a legacy server over HTTP', () => {
  it('is connected, sent the headers with every request, and told when we leave', async () => {
    const { url, received } = await startRawHttp();
    const headers = { Authorization: 'Bearer very-secret', 'X-Api-Key': 'also-secret' };
    const { manager, view, events, close } = await startManager({ remote: { url, headers } });
    await reaches(manager, 'remote', 'ready');
    expect(view('remote')).toMatchObject({ era: 'legacy', counts: { tools: 1 } });
    await manager.connection('remote')?.callTool('echo', {}, { signal: never });
    await close();
    expect(received.map(({ method }) => method)).toContain('GET');
    expect(received.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 's1' } });
    for (const request of received)
      expect(request.headers).toMatchObject({
        authorization: 'Bearer very-secret',
        'x-api-key': 'also-secret',
      });
    expect(JSON.stringify(events)).not.toMatch(/very-secret|also-secret/);
  });
});

describe('a server that cannot be used says why', () => {
  const answering = (status: number, type: string, body: string) => async () => {
    const answer = (response: ServerResponse) =>
      Boolean(response.writeHead(status, { 'content-type': type }).end(body));
    return (await startRawHttp((_message, response) => answer(response))).url;
  };
  const refusing = async () => {
    const { url, close } = await startRawHttp();
    await close();
    return url;
  };
  it.each<[string, () => Promise<string>, RegExp]>([
    ['401', answering(401, 'text/plain', ''), /signed in \(401\)/],
    ['403', answering(403, 'text/plain', 'no'), /refuses.*\(403\)/],
    ['404', answering(404, 'text/plain', ''), /no MCP endpoint.*\(404\)/],
    ['500', answering(500, 'text/plain', 'boom'), /problem of its own \(500\)/],
    ['503', answering(503, 'text/plain', ''), /problem of its own \(503\)/],
    [
      'a web page',
      answering(200, 'text/html; charset=utf-8', '<html><title>Sign in to Wi-Fi</title>'),
      /web page.*Sign in to Wi-Fi/,
    ],
    ['a refused connection', refusing, /connection was refused/],
    [
      'a name that does not exist',
      async () => 'http://no-such-host.invalid/mcp',
      /no-such-host\.invalid could not be found/,
    ],
  ])('%s', async (_what, start, words) => {
    const { manager, view } = await startManager({ remote: { url: await start() } });
    await reaches(manager, 'remote', 'failed');
    expect(view('remote')?.error).toMatchObject({
      code: expect.stringMatching(/^(server|auth)\./),
      message: expect.stringMatching(words),
      hint: expect.any(String),
    });
  });

  it('and each of them in words of its own, without another one being hurt', async () => {
    const good = await startRawHttp();
    const statuses = [401, 403, 404, 500];
    const urls = await Promise.all(statuses.map(status => answering(status, 'text/plain', '')()));
    const { manager, view } = await startManager({
      ...Object.fromEntries(urls.map((url, index) => [`bad${index}`, { url }])),
      good: { url: good.url },
    });
    await manager.settled();
    expect(view('good')?.state).toBe('ready');
    const errors = statuses.map((_status, index) => view(`bad${index}`)?.error);
    expect(new Set(errors.map(error => error?.code)).size).toBe(statuses.length);
    expect(new Set(errors.map(error => error?.hint)).size).toBe(statuses.length);
  });
});

describe('redirects', () => {
  it('are followed within the origin as they were sent, with the body and the headers', async () => {
    const { url, received } = await startRawHttp((_message, response, request) => {
      if (request.url !== '/mcp') return false;
      return Boolean(response.writeHead(307, { location: '/mcp/' }).end());
    });
    const { manager } = await startManager({ moved: { url, headers: { 'X-Api-Key': 'key' } } });
    await reaches(manager, 'moved', 'ready');
    const result = await manager.connection('moved')?.callTool('echo', {}, { signal: never });
    expect(result?.content).toEqual([{ type: 'text', text: 'ok' }]);
    const followed = received.filter(request => request.url === '/mcp/' && request.rpc === 'tools/call');
    expect(followed).toMatchObject([{ method: 'POST', headers: { 'x-api-key': 'key' } }]);
  });

  it('to another origin are not followed: nothing, and no secret, arrives there', async () => {
    const thief = await startRawHttp();
    const { url } = await startRawHttp((_message, response) =>
      Boolean(response.writeHead(307, { location: thief.url }).end()),
    );
    const headers = { Authorization: 'Bearer very-secret', 'X-Api-Key': 'also-secret' };
    const { manager, view, events } = await startManager({ hostile: { url, headers } });
    await reaches(manager, 'hostile', 'failed');
    expect(thief.received).toEqual([]);
    expect(view('hostile')?.error?.message).toContain(new URL(thief.url).host);
    expect(JSON.stringify(events)).not.toMatch(/very-secret|also-secret/);
  });

  it('of a POST to a page are not followed as GET', async () => {
    const { url, received } = await startRawHttp((_message, response, request) =>
      request.method === 'POST' ? Boolean(response.writeHead(302, { location: '/login' }).end()) : false,
    );
    const { manager } = await startManager({ login: { url } });
    await reaches(manager, 'login', 'failed');
    expect(received.filter(request => request.url === '/login')).toEqual([]);
  });

  it('in a circle end', async () => {
    const { url, received } = await startRawHttp((_message, response) =>
      Boolean(response.writeHead(307, { location: '/mcp' }).end()),
    );
    const { manager } = await startManager({ circle: { url } });
    await reaches(manager, 'circle', 'failed');
    expect(received.length).toBeLessThan(50);
  });
});

describe('a session that the server has forgotten', () => {
  it.each<[string, (response: ServerResponse) => unknown]>([
    ['404', response => response.writeHead(404).end()],
    [
      '400 that speaks of it',
      response => sendJson(response, { error: { code: -32000, message: 'Unknown session' } }, 400),
    ],
  ])('(%s) is begun anew once for five calls at a time, and all of them succeed', async (_how, forgotten) => {
    let valid = 's1';
    let sessions = 1;
    const { url, received, count } = await startRawHttp((message, response, request) => {
      if (message.method === 'initialize' && message.id !== undefined) {
        valid = `s${sessions++}`;
        response.setHeader('mcp-session-id', valid);
        sendJson(response, { id: message.id, result: legacyResult(message) });
        return true;
      }
      if (request.headers['mcp-session-id'] === valid || message.method === 'server/discover') return false;
      forgotten(response);
      return true;
    });
    const { manager } = await startManager({ redeployed: { url } });
    await reaches(manager, 'redeployed', 'ready');
    const connection = manager.connection('redeployed');
    await connection?.callTool('echo', {}, { signal: never });
    valid = 'another one';
    const before = count('initialize');
    const results = await Promise.all(
      Array.from({ length: 5 }, () => connection?.callTool('echo', {}, { signal: never })),
    );
    expect(results.map(result => result?.content)).toEqual(Array(5).fill([{ type: 'text', text: 'ok' }]));
    expect(count('initialize') - before).toBe(1);
    expect(
      received.filter(({ rpc }) => rpc === 'initialize').at(-1)?.headers['mcp-session-id'],
    ).toBeUndefined();
    await reaches(manager, 'redeployed', 'ready');
  });

  it('is not begun for ever: when every call is answered 404, the call fails after one more try', async () => {
    const { url, count } = await startRawHttp((message, response) =>
      message.method === 'tools/call' ? Boolean(response.writeHead(404).end()) : false,
    );
    const { manager } = await startManager({ hopeless: { url } });
    await reaches(manager, 'hopeless', 'ready');
    const call = manager.connection('hopeless')?.callTool('echo', {}, { signal: never });
    await expect(call).rejects.toMatchObject({ message: expect.stringContaining('404') });
    expect(count('tools/call')).toBe(2);
    expect(count('initialize')).toBe(2);
  });
});

describe('answers of an unexpected kind', () => {
  it.each<[string, (response: ServerResponse) => unknown]>([
    ['204', response => response.writeHead(204).end()],
    ['200, empty, no type', response => response.writeHead(200).end()],
    ['200 text', response => response.writeHead(200, { 'content-type': 'text/plain' }).end('Accepted')],
    ['200 null', response => response.writeHead(200, { 'content-type': 'application/json' }).end('null')],
    ['200 {}', response => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')],
  ])('to a notification do not matter: %s', async (_what, accept) => {
    const { url, count } = await startRawHttp((message, response, request) =>
      request.method === 'POST' && message.id === undefined ? Boolean(accept(response)) : false,
    );
    const { manager } = await startManager({ odd: { url } });
    await reaches(manager, 'odd', 'ready');
    expect(count('notifications/initialized')).toBe(1);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['404', response => response.writeHead(404).end()],
    ['501', response => response.writeHead(501).end()],
    ['a page', response => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
  ])('to a request for a stream only mean that there is none: %s', async (_what, answer) => {
    const { url, received } = await startRawHttp((_message, response, request) =>
      request.method === 'GET' ? Boolean(answer(response)) : false,
    );
    const { manager, view } = await startManager({ deaf: { url } });
    await reaches(manager, 'deaf', 'ready');
    await manager.connection('deaf')?.callTool('echo', {}, { signal: never });
    expect(view('deaf')).toMatchObject({ state: 'ready', notes: [] });
    expect(received.filter(({ method }) => method === 'GET')).toHaveLength(1);
  });

  const listing = (type: string | undefined, toBody: (json: string) => string) =>
    startRawHttp((message, response) => {
      if (message.method !== 'tools/list') return false;
      const json = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: legacyResult(message) });
      return Boolean(response.writeHead(200, type ? { 'content-type': type } : {}).end(toBody(json)));
    });

  it.each<[string, string | undefined, (json: string) => string]>([
    ['JSON, spelled differently', 'Application/JSON; charset=UTF-8', json => json],
    ['JSON without a type', undefined, json => json],
    ['an event stream with parameters', 'text/event-stream;charset=utf-8', json => `data: ${json}\n\n`],
    ['a wrapped reply', 'application/json', json => `[${json}]`],
  ])('are understood: %s', async (_what, type, toBody) => {
    const { url } = await listing(type, toBody);
    const { manager, view } = await startManager({ odd: { url } });
    await reaches(manager, 'odd', 'ready');
    expect(view('odd')?.counts.tools).toBe(1);
  });

  it.each<[string, string, (json: string) => string, RegExp]>([
    ['a page', 'text/html', () => '<html>Sign in to Wi-Fi', /web page.*Sign in to Wi-Fi/],
    ['nothing', 'application/json', () => '', /nothing/],
    ['half of an answer', 'application/json', json => json.slice(0, 20), /not MCP.*jsonrpc/],
    ['plain text', 'text/plain', () => 'boom', /boom/],
  ])('fail with readable words: %s', async (_what, type, toBody, words) => {
    const { url } = await listing(type, toBody);
    const { manager, view } = await startManager({ odd: { url } });
    await reaches(manager, 'odd', 'failed');
    expect(view('odd')?.error?.message).toMatch(words);
  });

  it('to a call fail that call with its status and its words, and no more', async () => {
    const { url } = await startRawHttp((message, response) =>
      message.method === 'tools/call' ? Boolean(response.writeHead(500).end('boom')) : false,
    );
    const { manager } = await startManager({ shaky: { url } });
    await reaches(manager, 'shaky', 'ready');
    const call = manager.connection('shaky')?.callTool('echo', {}, { signal: never });
    await expect(call).rejects.toMatchObject({ message: expect.stringMatching(/500/) });
    await vi.waitFor(() => expect(manager.connection('shaky')?.state).toBe('ready'));
  });

  it('come in pieces: an event stream cut anywhere, with comments, heartbeats and ids', async () => {
    for (const size of [1, 7, 4096]) {
      const { url } = await startRawHttp((message, response) => {
        if (message.method !== 'tools/call') return false;
        const head = `{"jsonrpc":"2.0","id":${message.id},`;
        const bytes = Buffer.from(
          `\uFEFF: keep-alive\n\nid: 123\ndata: \n\nretry: 50\n\nevent: heartbeat\ndata: {"type":"ping"}\n\n:\r\n\r\n` +
            `data:${head}\ndata: "result":{"content":[{"type":"text","text":"é😀"}]}}\n\n`,
        );
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
        response.end();
        return true;
      });
      const { manager } = await startManager({ stream: { url } });
      await reaches(manager, 'stream', 'ready');
      const result = await manager.connection('stream')?.callTool('echo', {}, { signal: never });
      expect(result?.content).toEqual([{ type: 'text', text: 'é😀' }]);
    }
  });

  it('that are cut before the end fail the call, and do not leave it waiting', async () => {
    const { url } = await startRawHttp((message, response) => {
      if (message.method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': working\n\n', () => response.destroy());
      return true;
    });
    const { manager } = await startManager({ cut: { url } });
    await reaches(manager, 'cut', 'ready');
    const call = manager.connection('cut')?.callTool('echo', {}, { signal: never });
    await expect(call).rejects.toMatchObject({ code: expect.stringMatching(/^(call|server)\./) });
  });
});
