import { describe, expect, it } from 'vitest';
import { ERAS, startWithNeighbour } from './support/bench.ts';
import { beginEvents, type Fault, startFaultyHttp } from './support/faultyHttp.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Ways to spoil the answer to a call, and what is said of it then. */
const SPOILED: [string, Fault, { code: string; message: RegExp }][] = [
  [
    'is a web page with status 502',
    ({ response }) =>
      response
        .writeHead(502, { 'content-type': 'text/html' })
        .end('<html><head><title>Bad gateway</title></head><body><p>proxy says no</p></body></html>'),
    { code: 'server.broken', message: /problem of its own \(502\): Bad gateway$/ },
  ],
  [
    'is status 500 without a body',
    ({ response }) => response.writeHead(500).end(),
    { code: 'server.broken', message: /problem of its own \(500\)\.$/ },
  ],
  [
    'is of a wrong type',
    ({ response, sound }) => response.writeHead(200, { 'content-type': 'image/png' }).end(sound),
    { code: 'server.notMcp', message: /not MCP: image\/png/ },
  ],
  [
    'is shorter than its length says',
    ({ response, sound }) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': sound.length + 100 });
      response.write(sound, () => response.destroy());
    },
    { code: 'server.cut', message: /was cut before the answer was whole/ },
  ],
  [
    'is longer than its length says',
    ({ response, sound }) => {
      const socket = response.socket;
      socket?.end(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${sound.length - 20}\r\n\r\n${sound}`,
      );
    },
    { code: 'server.notMcp', message: /not MCP: \{"jsonrpc/ },
  ],
  [
    'says gzip and is none',
    ({ response, sound }) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(sound),
    { code: 'server.garbled', message: /could not be unpacked/ },
  ],
  [
    'is reset in the middle',
    ({ response, sound }) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': sound.length });
      response.write(sound.slice(0, 20), () => response.socket?.resetAndDestroy());
    },
    { code: 'server.cut', message: /was cut before the answer was whole/ },
  ],
  [
    'is a stream that is cut in the middle of an event',
    ({ response, sound }) => {
      beginEvents(response);
      response.write(`: hello\n\ndata: ${sound.slice(0, 30)}`, () => response.socket?.resetAndDestroy());
    },
    { code: 'call.protocol', message: /connection was cut before the answer/ },
  ],
  [
    'is a stream that ends in peace without an answer',
    ({ response }) => {
      beginEvents(response);
      response.end(': bye\n\n');
    },
    { code: 'call.protocol', message: /connection was cut before the answer/ },
  ],
  [
    'is no HTTP at all',
    ({ response }) => response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n'),
    { code: 'server.notHttp', message: /does not speak HTTP/ },
  ],
];

describe.each(ERAS)('a remote server (%s) whose answer to a call', era => {
  it.each(SPOILED)('%s: said in words, sent once, and usable afterwards', async (_what, spoil, words) => {
    const { url, calls } = await startFaultyHttp(era, {
      'tools/call': turn => (turn.nth === 1 ? spoil(turn) : turn.behave()),
    });
    const { call, refusal, isReady, neighbourIsWell } = await startWithNeighbour({ url });
    await isReady();
    expect(await refusal(call())).toMatchObject({
      code: words.code,
      message: expect.stringMatching(words.message),
    });
    expect(calls()).toBe(1);
    await isReady();
    expect((await call()).content).toEqual([{ type: 'text', text: 'ok' }]);
    expect(calls()).toBe(2);
    await neighbourIsWell();
  });

  it.each<[string, Fault]>([
    ['never begins', () => undefined],
    [
      'begins and never ends',
      ({ response, sound }) => void response.writeHead(200, JSON_TYPE).write(sound[0]),
    ],
    [
      'is a stream that goes on for ever',
      ({ response }) => {
        beginEvents(response);
        const beat = setInterval(() => response.write(': still here\n\n'), 20);
        response.on('close', () => clearInterval(beat));
      },
    ],
  ])('%s: given up at the limit of the server’s entry', async (_what, fault) => {
    const { url, calls } = await startFaultyHttp(era, { 'tools/call': fault });
    const { call, refusal, isReady, view, neighbourIsWell } = await startWithNeighbour({
      url,
      timeoutMs: 300,
    });
    await isReady();
    expect(await refusal(call())).toMatchObject({ code: 'call.timeout', hint: expect.any(String) });
    expect(calls()).toBe(1);
    expect(view('faulty')?.state).toBe('ready');
    await neighbourIsWell();
  });
});
