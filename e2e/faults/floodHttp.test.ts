import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { startRawHttp } from '../support/rawHttp.ts';
import { ERAS, startWithNeighbour } from './support/bench.ts';
import { beginEvents, type Fault, startFaultyHttp, type Turn } from './support/faultyHttp.ts';
import { keepsMemory } from './support/memory.ts';

const OK = [{ type: 'text', text: 'ok' }];
const JSON_TYPE = { 'content-type': 'application/json' };
const EVENTS_TYPE = { 'content-type': 'text/event-stream' };
const GZIP = { 'content-encoding': 'gzip' };
const MEGABYTE = 'x'.repeat(1 << 20);

/** The sound answer with so many megabytes as its text, in pieces. */
function* large(sound: string, megabytes: number): Generator<string> {
  const [before = '', after = ''] = sound.split('"ok"');
  yield `${before}"`;
  for (let nth = 0; nth < megabytes; nth++) yield MEGABYTE;
  yield `"${after}`;
}

function* asEvent(pieces: Iterable<string>): Generator<string> {
  yield 'data: ';
  yield* pieces;
  yield '\n\n';
}

/** Sends as fast as it is taken, until the other side has enough. */
function pour(response: ServerResponse, headers: Record<string, string>, pieces: Iterable<string>): void {
  response.writeHead(200, headers);
  const zip = headers['content-encoding'] === 'gzip' ? [createGzip({ level: 1 })] : [];
  // Whoever has enough hangs up.
  pipeline([Readable.from(pieces, { objectMode: false, highWaterMark: 1 << 20 }), ...zip, response]).catch(
    () => undefined,
  );
}

function* forEver(text: string): Generator<string> {
  for (;;) yield text;
}

const progress = ({ params }: Turn, count: number) => {
  const progressToken = (params?._meta as { progressToken?: unknown } | undefined)?.progressToken;
  return Array.from({ length: count }, (_, nth) => {
    const news = {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress: nth },
    };
    return `data: ${JSON.stringify(news)}\n\n`;
  }).join('');
};

const TOO_LONG = /left out: it has more than 64 MB/;

describe.each(ERAS)('a remote server (%s) whose answer', era => {
  it.each<[string, Fault, RegExp]>([
    ['has 200 MB', ({ response, sound }) => pour(response, JSON_TYPE, large(sound, 200)), TOO_LONG],
    [
      'is packed and has 200 MB',
      ({ response, sound }) => pour(response, { ...JSON_TYPE, ...GZIP }, large(sound, 200)),
      TOO_LONG,
    ],
    [
      'is an event of 200 MB',
      ({ response, sound }) => pour(response, EVENTS_TYPE, asEvent(large(sound, 200))),
      TOO_LONG,
    ],
    [
      'is a packed event of 200 MB',
      ({ response, sound }) => pour(response, { ...EVENTS_TYPE, ...GZIP }, asEvent(large(sound, 200))),
      TOO_LONG,
    ],
    [
      'is an event without an end',
      ({ response }) => pour(response, EVENTS_TYPE, forEver(`data: ${MEGABYTE}\n`)),
      TOO_LONG,
    ],
    ['is a line without an end', ({ response }) => pour(response, EVENTS_TYPE, forEver(MEGABYTE)), TOO_LONG],
    [
      'is nested a hundred thousand levels deep',
      ({ response, sound }) =>
        response
          .writeHead(200, JSON_TYPE)
          .end(sound.replace('"ok"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`)),
      /left out: it is nested more than 500 levels/,
    ],
    [
      'is an event of millions of values',
      ({ response, sound }) => {
        beginEvents(response);
        response.end(`data: ${sound.replace('"ok"', `[${'{},'.repeat(2_000_000)}{}]`)}\n\n`);
      },
      /left out: it holds more than 1000000 values/,
    ],
    [
      'is an error of 200 MB',
      ({ response }) => {
        response.statusCode = 500;
        pipeline(Readable.from(large('"ok"', 200)), response).catch(() => undefined);
      },
      /problem of its own \(500\)/,
    ],
    [
      'has more headers than anybody reads',
      ({ response, sound }) =>
        response.writeHead(200, { ...JSON_TYPE, 'x-more': 'x'.repeat(100_000) }).end(sound),
      /more headers than can be read/,
    ],
  ])('%s ends the call in words, and no more than that', async (_what, spoil, words) => {
    const { url, calls } = await startFaultyHttp(era, {
      'tools/call': turn => (turn.nth === 1 ? spoil(turn) : turn.behave()),
    });
    const { call, refusal, isReady, neighbourIsWell, whileNeighbourAnswers } = await startWithNeighbour({
      url,
    });
    await isReady();
    const memory = keepsMemory();
    expect((await whileNeighbourAnswers(refusal(call()))).message).toMatch(words);
    memory.check();
    await isReady();
    expect((await call()).content).toEqual(OK);
    expect(calls()).toBe(2);
    await neighbourIsWell();
  });

  it('comes after a hundred thousand reports of progress is heard, and the person sees some of them', async () => {
    const { url } = await startFaultyHttp(era, {
      'tools/call': turn => {
        const some = progress(turn, 1000);
        pour(turn.response, EVENTS_TYPE, [...Array<string>(100).fill(some), `data: ${turn.sound}\n\n`]);
      },
    });
    const { manager, isReady, neighbourIsWell, whileNeighbourAnswers } = await startWithNeighbour({ url });
    await isReady();
    const seen = vi.fn();
    const work = manager
      .connection('faulty')
      ?.callTool('echo', {}, { signal: new AbortController().signal, onProgress: seen });
    expect((await whileNeighbourAnswers(work as NonNullable<typeof work>)).content).toEqual(OK);
    expect(seen.mock.calls.length).toBeGreaterThan(0);
    await neighbourIsWell();
  });
});

describe('a remote server', () => {
  it.each<[string, (page: number) => unknown, RegExp]>([
    ['lists without end', page => String(page + 1), /more than 64 pages/],
    ['goes round in circles', page => String((page + 1) % 3), /repeats itself/],
    ['has the same next page for ever', () => 'next', /repeats itself/],
    ['gives a number for the next page', page => page + 1, /something that is no text/],
  ])('that %s is read for a while, and that is told', async (_what, next, words) => {
    let pages = 0;
    const { url } = await startFaultyHttp('legacy', {
      'tools/list': ({ response, id }) => {
        const tools = [{ name: pages === 0 ? 'echo' : `tool${pages}`, inputSchema: { type: 'object' } }];
        const result = { tools, nextCursor: next(pages++) };
        response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      },
    });
    const { isReady, view, neighbourIsWell } = await startWithNeighbour({ url });
    await isReady();
    expect(view('faulty')?.notes.join()).toMatch(words);
    expect(pages).toBeLessThanOrEqual(64);
    await neighbourIsWell();
  });

  it('whose pages are large is read up to a bound of all of them', async () => {
    let pages = 0;
    const { url } = await startFaultyHttp('legacy', {
      'tools/list': ({ response, id }) => {
        const name = pages === 0 ? 'echo' : `tool${pages}`;
        const tools = [{ name, description: 'x'.repeat(200_000), inputSchema: { type: 'object' } }];
        const result = { tools, nextCursor: String(++pages) };
        response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      },
    });
    const { isReady, view, neighbourIsWell } = await startWithNeighbour({ url });
    await isReady();
    expect(view('faulty')?.notes.join()).toContain('more than 4 MB');
    expect(view('faulty')?.counts.tools).toBe(20);
    await neighbourIsWell();
  });

  it('of the old transport that answers with an event of 100 MB ends that call, and stays', async () => {
    let stream: ServerResponse | undefined;
    const { url, count } = await startRawHttp((message, response, request) => {
      if (request.method === 'GET') {
        beginEvents(response);
        response.write('event: endpoint\ndata: /mcp\n\n');
        stream = response;
        return true;
      }
      if (message.id === undefined) return false;
      response.writeHead(202).end();
      void answerOnStream(message.id, message.method ?? '');
      return true;
    });
    const answerOnStream = async (id: number | string, method: string) => {
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: '2024-11-05',
          capabilities: { tools: {} },
          serverInfo: { name: 'old', version: '0' },
        },
        'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
        'tools/call': { content: OK },
      };
      const result = results[method];
      const sound = JSON.stringify({ result, jsonrpc: '2.0', id });
      const pieces = count('tools/call') === 1 && method === 'tools/call' ? large(sound, 100) : [sound];
      for (const piece of asEvent(pieces))
        if (!stream?.write(piece)) await once(stream as ServerResponse, 'drain');
    };
    const { call, refusal, isReady, neighbourIsWell, whileNeighbourAnswers } = await startWithNeighbour({
      type: 'sse',
      url,
    });
    await isReady();
    expect((await whileNeighbourAnswers(refusal(call()))).message).toMatch(TOO_LONG);
    expect((await call()).content).toEqual(OK);
    await neighbourIsWell();
  });
});
