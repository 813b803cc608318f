import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startRawHttp } from '../support/rawHttp.ts';
import { ERAS, startWithNeighbour } from './support/bench.ts';
import { beginEvents, type Fault, startFaultyHttp } from './support/faultyHttp.ts';
import { SELF_SIGNED } from './support/selfSigned.ts';

const OK = [{ type: 'text', text: 'ok' }];

describe.each(ERAS)('a remote server (%s)', era => {
  it('that sends a call to another origin is not followed, and no secret arrives there', async () => {
    const thief = await startRawHttp();
    const { url, calls } = await startFaultyHttp(era, {
      'tools/call': ({ response }) => response.writeHead(307, { location: thief.url }).end(),
    });
    const headers = { Authorization: 'Bearer very-secret', 'X-Api-Key': 'also-secret' };
    const { call, refusal, isReady, events, neighbourIsWell } = await startWithNeighbour({ url, headers });
    await isReady();
    expect(await refusal(call())).toMatchObject({
      code: 'server.redirect',
      message: expect.stringContaining(new URL(thief.url).host),
    });
    expect(thief.received).toEqual([]);
    expect(calls()).toBe(1);
    expect(JSON.stringify(events)).not.toMatch(/very-secret|also-secret/);
    await isReady();
    await neighbourIsWell();
  });

  it('that has had enough of us says for how long', async () => {
    const { url, calls } = await startFaultyHttp(era, {
      'tools/call': ({ response }) => response.writeHead(429, { 'retry-after': '30' }).end('slow down'),
    });
    const { call, refusal, isReady, neighbourIsWell } = await startWithNeighbour({ url });
    await isReady();
    expect(await refusal(call())).toMatchObject({
      code: 'server.busy',
      message: expect.stringMatching(/too many requests \(429\).*slow down/),
      hint: expect.stringContaining('30 seconds'),
    });
    expect(calls()).toBe(1);
    await isReady();
    await neighbourIsWell();
  });

  it('that wants a sign-in in the middle says so, and the call is not sent again by itself', async () => {
    const { url, calls } = await startFaultyHttp(era, {
      'tools/call': ({ response, nth, behave }) => (nth === 1 ? response.writeHead(401).end() : behave()),
    });
    const { call, refusal, isReady, neighbourIsWell } = await startWithNeighbour({ url });
    await isReady();
    expect(await refusal(call())).toMatchObject({
      code: 'auth.failed',
      message: expect.stringContaining('(401)'),
    });
    expect(calls()).toBe(1);
    expect((await call()).content).toEqual(OK);
    await neighbourIsWell();
  });

  it('that closes the connection after each answer neither loses nor doubles a call', async () => {
    const { url, calls } = await startFaultyHttp(era, {
      'tools/call': ({ response, request, behave }) => {
        // Without `connection: close`: the client must not be told.
        response.on('finish', () => request.socket.end());
        behave();
      },
    });
    const { call, isReady, neighbourIsWell } = await startWithNeighbour({ url });
    await isReady();
    for (let nth = 1; nth <= 10; nth++) {
      expect((await call()).content).toEqual(OK);
      expect(calls()).toBe(nth);
    }
    const atOnce = await Promise.all(Array.from({ length: 10 }, () => call()));
    expect(atOnce.map(({ content }) => content)).toEqual(Array(10).fill(OK));
    expect(calls()).toBe(20);
    await neighbourIsWell();
  });

  it('that was started anew on the same address is used again, and its calls are sent once', async () => {
    const first = await startFaultyHttp(era, { get: ({ response }) => beginEvents(response) });
    const { call, isReady, neighbourIsWell, view } = await startWithNeighbour({ url: first.url });
    await isReady();
    expect((await call()).content).toEqual(OK);
    const began = view('faulty')?.since;
    await first.close();
    const port = Number(new URL(first.url).port);
    const second = await startFaultyHttp(
      era,
      {
        all: ({ request, response, behave }) =>
          era === 'legacy' && request.method === 'POST' && request.headers['mcp-session-id'] === 's1'
            ? response.writeHead(404).end()
            : behave(),
      },
      { port, firstSession: 2 },
    );
    // A legacy one is noticed by its stream; the call finds out in either case.
    await vi.waitFor(async () => expect((await call()).content).toEqual(OK), {
      timeout: 20_000,
      interval: 100,
    });
    expect(second.calls()).toBeLessThanOrEqual(2);
    await isReady();
    if (era === 'legacy') expect(view('faulty')?.since).not.toBe(began);
    await neighbourIsWell();
  });

  it.each<[string, Fault, RegExp | undefined]>([
    [
      'another id',
      ({ response, sound, id }) => sendJson(response, sound.replace(`"id":${id}`, '"id":4711')),
      /not MCP|malformed/,
    ],
    [
      'the id as text',
      ({ response, sound, id }) => sendJson(response, sound.replace(`"id":${id}`, `"id":"${id}"`)),
      undefined,
    ],
    ['two answers', ({ response, sound }) => sendJson(response, `[${sound},${sound}]`), undefined],
    [
      'JSON-RPC 1.0',
      ({ response, sound }) => sendJson(response, sound.replace('"2.0"', '"1.0"')),
      /not MCP|malformed/,
    ],
    ['202 and no answer', ({ response }) => response.writeHead(202).end(), /answered 202 with nothing/],
    ['204', ({ response }) => response.writeHead(204).end(), /answered 204 with nothing/],
  ])('that answers a call with %s does not leave it waiting', async (_what, fault, words) => {
    const { url, calls } = await startFaultyHttp(era, { 'tools/call': fault });
    const { call, refusal, isReady, neighbourIsWell } = await startWithNeighbour({ url });
    await isReady();
    if (words) expect(await refusal(call())).toMatchObject({ message: expect.stringMatching(words) });
    else expect((await call()).content).toEqual(OK);
    expect(calls()).toBe(1);
    await isReady();
    await neighbourIsWell();
  });
});

describe('a legacy server with a stream', () => {
  it('that answers 404 on it has forgotten the session: a new one is begun before any call fails', async () => {
    let stream: ServerResponse | undefined;
    let forgotten: string | undefined;
    const { url, count, calls } = await startFaultyHttp('legacy', {
      get: ({ request, response }) => {
        if (forgotten && request.headers['mcp-session-id'] === forgotten)
          return void response.writeHead(404).end();
        beginEvents(response);
        stream ??= response;
      },
      all: ({ request, response, behave }) =>
        forgotten && request.headers['mcp-session-id'] === forgotten
          ? response.writeHead(404).end()
          : behave(),
    });
    const { call, isReady, neighbourIsWell, view } = await startWithNeighbour({ url });
    await isReady();
    const began = view('faulty')?.since;
    await expect.poll(() => stream).toBeDefined();
    forgotten = 's1';
    stream?.destroy();
    // Until the new one stands, calls go to the old one, and are sent again.
    await expect.poll(() => view('faulty')?.since, { timeout: 20_000 }).not.toBe(began);
    expect(count('initialize')).toBe(2);
    await isReady();
    expect((await call()).content).toEqual(OK);
    expect(calls()).toBe(1);
    await neighbourIsWell();
  });

  it('that ends it at once again and again is not asked without a pause, whatever it says', async () => {
    let asked = 0;
    const { url, calls } = await startFaultyHttp('legacy', {
      get: ({ response }) => {
        asked++;
        beginEvents(response);
        // Zero, and more than a timer can hold: both would mean at once.
        response.end(asked % 2 === 0 ? 'retry: 0\n\n' : 'retry: 99999999999\n\n');
      },
    });
    const { call, isReady, neighbourIsWell } = await startWithNeighbour({ url });
    await isReady();
    for (let nth = 0; nth < 30; nth++) await call();
    expect(calls()).toBe(30);
    // As many requests for a stream as there were calls would be a storm.
    expect(asked).toBeLessThan(10);
    await neighbourIsWell();
  });

  it('that is cut in the middle of an answer is asked for the rest, from the newest event on', async () => {
    const asked: unknown[] = [];
    const progress = (token: unknown, value: number) =>
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: token, progress: value },
      });
    let answer = '';
    let token: unknown;
    const { url, calls } = await startFaultyHttp('legacy', {
      'tools/call': ({ params, response, sound }) => {
        answer = sound;
        token = (params?._meta as { progressToken?: unknown } | undefined)?.progressToken;
        beginEvents(response);
        response.write(`retry: 10\nid: e1\ndata: \n\nid: e2\ndata: ${progress(token, 1)}\n\n`, () =>
          response.destroy(),
        );
      },
      get: ({ request, response }) => {
        const last = request.headers['last-event-id'];
        if (last === undefined) return void response.writeHead(405).end();
        asked.push(last);
        beginEvents(response);
        if (asked.length === 1)
          response.write(`id: e3\ndata: ${progress(token, 2)}\n\n`, () => response.destroy());
        else if (asked.length === 2) response.write(': nothing yet\n\n', () => response.destroy());
        else response.end(`id: e4\ndata: ${answer}\n\n`);
      },
    });
    const { call, isReady, neighbourIsWell } = await startWithNeighbour({ url });
    await isReady();
    expect((await call()).content).toEqual(OK);
    expect(asked).toEqual(['e2', 'e3', 'e3']);
    expect(calls()).toBe(1);
    await neighbourIsWell();
  });

  it.each<[string, Fault]>([
    ['refuses to go on', ({ response }) => response.writeHead(405).end()],
    ['does not know the event', ({ response }) => response.writeHead(400).end('unknown event')],
  ])('that cuts an answer and then %s ends the call', async (_what, refuse) => {
    const { url, calls } = await startFaultyHttp('legacy', {
      'tools/call': ({ response }) => {
        beginEvents(response);
        response.write('retry: 10\nid: e1\ndata: \n\n', () => response.destroy());
      },
      get: turn =>
        turn.request.headers['last-event-id'] ? refuse(turn) : void turn.response.writeHead(405).end(),
    });
    const { call, refusal, isReady, neighbourIsWell } = await startWithNeighbour({ url });
    await isReady();
    expect((await refusal(call())).message).toMatch(/cut before the answer/);
    expect(calls()).toBe(1);
    await isReady();
    await neighbourIsWell();
  });
});

describe('an address', () => {
  it('with a certificate that is signed by itself is refused, and the certificate is named', async () => {
    const server = createServer(SELF_SIGNED, (_request, response) => response.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const { hasFailed, neighbourIsWell } = await startWithNeighbour({ url });
    expect(await hasFailed()).toMatchObject({
      code: 'server.tls',
      message: expect.stringMatching(/^The certificate of 127\.0\.0\.1:\d+ is signed by itself/),
      hint: expect.stringContaining('trusts'),
    });
    await neighbourIsWell();
  });

  it('that speaks http where https is asked for says so', async () => {
    const { url } = await startRawHttp();
    const { hasFailed, neighbourIsWell } = await startWithNeighbour({ url: url.replace('http:', 'https:') });
    expect(await hasFailed()).toMatchObject({ code: 'server.tls', hint: expect.stringContaining('http://') });
    await neighbourIsWell();
  });

  it('on a port that is closed to web clients says that', async () => {
    const { hasFailed, neighbourIsWell } = await startWithNeighbour({ url: 'http://127.0.0.1:9/mcp' });
    expect(await hasFailed()).toMatchObject({
      code: 'server.port',
      message: expect.stringContaining('127.0.0.1:9 belongs to another service'),
      hint: expect.stringContaining('another port'),
    });
    await neighbourIsWell();
  });
});

function sendJson(response: Parameters<Fault>[0]['response'], body: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}
