import { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { describe, expect, it } from 'vitest';
import { Resumption } from './resumption.ts';
import { repairEvents } from './sse.ts';
import { Traffic } from './traffic.ts';
import { WireTap } from './wireTap.ts';

const ANSWER = {
  jsonrpc: '2.0',
  id: 2,
  result: { resultType: 'complete', content: [{ type: 'text', text: 'é😀' }] },
};
const PROGRESS = {
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 1, progress: 1 },
};

/** The framing of BC-26: every line end, comments, heartbeats, several data lines. */
const STREAM =
  '\uFEFF: keep-alive\n\n' +
  'id: 123\ndata: \n\n' +
  'retry: 50\n\n' +
  'event: heartbeat\ndata: {"type":"ping"}\n\n' +
  ':\r\n\r\n' +
  `event: message\r\nid: 124\r\ndata: ${JSON.stringify(PROGRESS)}\r\n\r\n` +
  'data:{"jsonrpc":"2.0","id":2,\rdata: "result":{"content":[{"type":"text","text":"é😀"}]}}\r\r' +
  'data: {"jsonrpc":"2.0","method":"never/delivered"}';

describe('an event stream', () => {
  it.each([1, 2, 7, 4096])('is read whole, however it is cut: every %i bytes (BC-26)', async size => {
    const text = await repaired(Buffer.from(STREAM), size, 2);
    expect(messagesIn(text)).toEqual([PROGRESS, ANSWER]);
    expect(text).toMatch(/id: 124\n/);
    expect(text).toMatch(/retry: 50\n/);
    expect(text).not.toContain('never/delivered');
  });

  it('has its messages repaired (BC-10)', async () => {
    const sent = { jsonrpc: '2.0', id: '2', result: { tools: [], nextCursor: null }, error: null };
    const text = await repaired(Buffer.from(`data: ${JSON.stringify([sent])}\n\n`), 5, 2);
    expect(messagesIn(text)).toMatchObject([{ jsonrpc: '2.0', id: 2, result: { tools: [] } }]);
  });
});

describe('an event stream that ends without the answer', () => {
  const cut = `data: ${JSON.stringify(PROGRESS)}\n\n`;
  it('is answered with an error in its place', async () => {
    const [, error] = messagesIn(await repaired(Buffer.from(cut), 4096, 2));
    expect(error).toMatchObject({ id: 2, error: { message: expect.stringContaining('cut') } });
  });

  it('also when the connection breaks', async () => {
    const [, error] = messagesIn(await repaired(Buffer.from(cut), 4096, 2, new Error('terminated')));
    expect(error).toMatchObject({ id: 2, error: { message: expect.stringContaining('cut') } });
  });

  it('is left to be resumed when it has an id', async () => {
    expect(messagesIn(await repaired(Buffer.from(`id: 7\n${cut}`), 4096, 2))).toEqual([PROGRESS]);
  });

  it('is fine when it answers no request', async () => {
    expect(messagesIn(await repaired(Buffer.from(cut), 4096, undefined))).toEqual([PROGRESS]);
  });
});

async function repaired(bytes: Buffer, size: number, id: number | undefined, error?: Error): Promise<string> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield new Uint8Array(bytes.subarray(at, at + size));
    if (error) throw error;
  }
  const nobody = { isRecording: () => false, isWanted: () => false, hear: () => undefined };
  const tap = new WireTap(new Traffic(text => text, nobody));
  const body = NodeReadableStream.from(pieces()) as unknown as ReadableStream<Uint8Array>;
  return new Response(
    repairEvents(
      body,
      id === undefined ? undefined : { request: id, resumption: new Resumption() },
      tap,
    ) as BodyInit,
  ).text();
}

function messagesIn(text: string): unknown[] {
  return text
    .split('\n\n')
    .filter(event => !event.includes('event: heartbeat'))
    .flatMap(event => event.split('\n').filter(line => /^data: \S/.test(line)))
    .map(line => JSON.parse(line.slice(6)));
}
