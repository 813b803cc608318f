import { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { normalizeMessages } from './normalize.ts';
import { cutEvent, type Resumption } from './resumption.ts';
import { isMessage } from './rpc.ts';
import type { WireTap } from './wireTap.ts';

/** The request that a stream belongs to. */
export interface StreamOf {
  request: string | number;
  /** Where it has come to; undefined when it cannot be resumed (2026-07-28). */
  resumption: Resumption | undefined;
  /** The event that it goes on from. */
  from?: string;
}

/**
 * An event stream with the repairs of normalize.ts in its messages. When it ends without the answer to the request
 * that it belongs to, and cannot be resumed, an error takes the place of the answer: nothing would end the request.
 * @param of undefined for a stream that answers no request
 */
export function repairEvents(
  body: ReadableStream<Uint8Array>,
  of: StreamOf | undefined,
  tap: WireTap,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const bytes = async function* () {
    for await (const text of repaired(body, of, tap)) yield encoder.encode(text);
  };
  return NodeReadableStream.from(bytes()) as unknown as ReadableStream<Uint8Array>;
}

async function* repaired(
  body: ReadableStream<Uint8Array>,
  of: StreamOf | undefined,
  tap: WireTap,
): AsyncGenerator<string> {
  const resumption = of?.resumption;
  // Said again, so that the SDK still knows the place when this stream is cut before its first event.
  if (of?.from !== undefined) yield `id: ${of.from}\ndata: \n\n`;
  let isOpen = of !== undefined && of.from === undefined;
  try {
    for await (const event of readEvents(body)) {
      const id = event.findLast(line => /^id: ?./.test(line))?.replace(/^id: ?/, '');
      if (id !== undefined && of && resumption) {
        isOpen = false;
        resumption.reached(of.request, id);
      }
      // Without its id the SDK does not try to resume what cannot be resumed.
      const lines = of && !resumption ? event.filter(line => !line.startsWith('id:')) : event;
      const messages = messagesOf(lines, tap);
      if (!messages) yield `${lines.join('\n')}\n\n`;
      for (const message of messages ?? []) {
        if (of && 'id' in message && message.id === of.request) {
          isOpen = false;
          resumption?.answered(of.request);
        }
        const head = lines.filter(line => !/^data(:|$)/.test(line)).map(line => `${line}\n`);
        yield `${head.join('')}data: ${JSON.stringify(message)}\n\n`;
      }
    }
  } catch (error) {
    if (!isOpen) throw error;
  }
  if (of && isOpen) yield cutEvent(of.request);
}

/** The messages of an event; undefined for an event that is none of ours to repair. */
function messagesOf(lines: string[], tap: WireTap): JSONRPCMessage[] | undefined {
  const type = lines
    .findLast(line => line.startsWith('event:'))
    ?.slice(6)
    .trim();
  if (type !== undefined && type !== 'message') return undefined;
  const data = lines.filter(line => line.startsWith('data:')).map(line => line.slice(5).replace(/^ /, ''));
  try {
    const text = data.join('\n');
    const json: unknown = JSON.parse(text);
    tap.received(text, json, true);
    const messages = normalizeMessages(json).filter(isMessage);
    return messages.length > 0 ? messages : undefined;
  } catch {
    return undefined; // Not JSON: passed on as it is.
  }
}

/** The lines of each complete event. CR, LF and CRLF end a line, wherever the chunks happen to be cut. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let lines: string[] = [];
  let line = '';
  let carry = '';
  for await (const chunk of body) {
    // A CR at the end may be the first half of a CRLF.
    const text = carry + decoder.decode(chunk, { stream: true });
    carry = text.endsWith('\r') ? '\r' : '';
    const pieces = text.slice(0, text.length - carry.length).split(/\r\n|\n|\r/);
    for (const [index, piece] of pieces.entries()) {
      line += piece;
      if (index === pieces.length - 1) break;
      if (line !== '') lines.push(line);
      else if (lines.length > 0) {
        yield lines;
        lines = [];
      }
      line = '';
    }
  }
}
