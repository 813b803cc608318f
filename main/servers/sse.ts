import { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { MAX_MESSAGE_BYTES, TOO_LONG } from './bodies.ts';
import { normalizeMessages } from './normalize.ts';
import { cutEvent, type Resumption } from './resumption.ts';
import { isMessage } from './rpc.ts';
import { answerInPlace, END_LENGTH, type Ends, endsOf, parseBounded, Unreadable } from './unreadable.ts';
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

  const repair = (event: string[]): string => {
    const id = event.findLast(line => /^id: ?./.test(line))?.replace(/^id: ?/, '');
    if (id !== undefined && of && resumption) {
      isOpen = false;
      resumption.reached(of.request, id);
    }
    // Without its id the SDK does not try to resume what cannot be resumed.
    const lines = of && !resumption ? event.filter(line => !line.startsWith('id:')) : event;
    const messages = messagesOf(lines, tap);
    if (!messages) return `${lines.join('\n')}\n\n`;
    const head = lines.filter(line => !/^data(:|$)/.test(line)).map(line => `${line}\n`);
    const events = messages.map(message => {
      if (of && 'id' in message && message.id === of.request) {
        isOpen = false;
        resumption?.answered(of.request);
      }
      return head.join('') + dataEvent(message);
    });
    return events.join('');
  };

  try {
    // What comes at once goes on at once: a step of a stream is dearer than an event.
    for await (const events of readEvents(body, of !== undefined)) {
      let text = '';
      for (const event of events) {
        if (Array.isArray(event)) {
          text += repair(event);
        } else if (of) {
          resumption?.answered(of.request);
          yield text + dataEvent(leftOut(of.request));
          // Whatever it is, the rest is not worth its way: leaving the loop ends the connection.
          return;
        } else {
          const answer = answerInPlace(event, TOO_LONG);
          if (answer) text += dataEvent(answer);
        }
      }
      if (text !== '') yield text;
    }
  } catch (error) {
    if (!isOpen) throw error;
  }
  if (of && isOpen) yield cutEvent(of.request);
}

function dataEvent(message: JSONRPCMessage): string {
  return `data: ${JSON.stringify(message)}\n\n`;
}

function leftOut(request: string | number): JSONRPCMessage {
  const error = {
    code: -32000,
    message: `The answer was left out: ${TOO_LONG}. What was asked may have been done.`,
  };
  return { jsonrpc: '2.0', id: request, error };
}

/** The messages of an event; undefined for an event that is none of ours to repair. */
function messagesOf(lines: string[], tap: WireTap): JSONRPCMessage[] | undefined {
  const type = lines
    .findLast(line => line.startsWith('event:'))
    ?.slice(6)
    .trim();
  if (type !== undefined && type !== 'message') return undefined;
  const text = dataIn(lines);
  try {
    const json = parseBounded(text);
    tap.received(text, json, true);
    const messages = normalizeMessages(json).filter(isMessage);
    return messages.length > 0 ? messages : undefined;
  } catch (error) {
    // Not JSON: passed on as it is.
    if (!(error instanceof Unreadable)) return undefined;
    const answer = answerInPlace(endsOf(text), error.message);
    return answer ? [answer] : [];
  }
}

/**
 * By what came at once, the lines of each complete event, and the ends of one that is too long: at once, where `isAnswer`, because it may never
 * end. CR, LF and CRLF end a line, wherever the chunks happen to be cut.
 */
async function* readEvents(
  body: ReadableStream<Uint8Array>,
  isAnswer: boolean,
): AsyncGenerator<(string[] | Ends)[]> {
  const decoder = new TextDecoder();
  let lines: string[] = [];
  let line = '';
  let carry = '';
  let size = 0;
  let isBlank = true;
  let ends: Ends | undefined;
  for await (const chunk of body) {
    // A CR at the end may be the first half of a CRLF.
    const text = carry + decoder.decode(chunk, { stream: true });
    carry = text.endsWith('\r') ? '\r' : '';
    const pieces = text.slice(0, text.length - carry.length).split(/\r\n|\n|\r/);
    const events: (string[] | Ends)[] = [];
    for (const [index, piece] of pieces.entries()) {
      size += piece.length;
      isBlank &&= piece === '';
      if (ends) ends.tail = (ends.tail + piece).slice(-END_LENGTH);
      else line += piece;
      if (!ends && size > MAX_MESSAGE_BYTES) {
        ends = { head: dataIn([...lines, line]).slice(0, END_LENGTH), tail: line.slice(-END_LENGTH) };
        if (isAnswer) events.push(ends);
        lines = [];
        line = '';
      }
      if (index === pieces.length - 1) break;
      if (!isBlank) {
        if (!ends) lines.push(line);
      } else if (size > 0) {
        events.push(ends ?? lines);
        lines = [];
        ends = undefined;
        size = 0;
      }
      line = '';
      isBlank = true;
    }
    if (events.length > 0) yield events;
  }
}

function dataIn(lines: string[]): string {
  const data = lines.filter(line => line.startsWith('data:')).map(line => line.slice(5).replace(/^ /, ''));
  return data.join('\n');
}
