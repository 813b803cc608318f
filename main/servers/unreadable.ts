import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/**
 * JSON nested deeper than this is no data but an attack: what walks through it later (checks, storage, the window)
 * would run out of stack.
 */
const MAX_DEPTH = 500;
/** More values than this fill the memory many times over what their text takes: a million small objects, a hundred MB. */
const MAX_VALUES = 1_000_000;

/** JSON that is not read, because it would cost too much. */
export class Unreadable extends Error {}

/** @throws Unreadable, before anything is made of the text, and SyntaxError */
export function parseBounded(text: string): unknown {
  const why = whyUnreadable(text);
  if (why) throw new Unreadable(why);
  return JSON.parse(text);
}

/** Of an answer that is not read, where its id may stand: servers write it first or last. */
export interface Ends {
  head: string;
  tail: string;
}

/** How much of each end is looked at. */
export const END_LENGTH = 300;

export function endsOf(text: string): Ends {
  return { head: text.slice(0, END_LENGTH), tail: text.slice(-END_LENGTH) };
}

/**
 * An error in place of an answer that is not read: nothing else would end its request. Undefined where it cannot be
 * told what it answers.
 */
export function answerInPlace({ head, tail }: Ends, why: string): JSONRPCMessage | undefined {
  const id = (ID_FIRST.exec(head) ?? ID_LAST.exec(tail))?.[1];
  if (id === undefined) return undefined;
  const error = {
    code: -32000,
    message: `The answer was left out: ${why}. What was asked may have been done.`,
  };
  return { jsonrpc: '2.0', id: JSON.parse(id) as string | number, error };
}

const ID = String.raw`"id"\s*:\s*(\d{1,15}|"[\w-]{1,100}")\s*`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`;
const ID_FIRST = new RegExp(
  String.raw`^\s*\{\s*(?:${VERSION},\s*)?${ID},\s*(?:${VERSION},\s*)?"(?:result|error)"`,
);
const ID_LAST = new RegExp(String.raw`[\]}]\s*,\s*(?:${VERSION},\s*)?${ID}(?:,\s*${VERSION})?\}\s*$`);

/** Looks at every character once, and skips texts in one go. */
function whyUnreadable(json: string): string | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case '"':
        at = endOfText(json, at);
        break;
      case '{':
      case '[':
        values++;
        if (++depth > MAX_DEPTH) return `it is nested more than ${MAX_DEPTH} levels deep`;
        break;
      case '}':
      case ']':
        depth--;
        break;
      case ',':
        if (++values > MAX_VALUES) return `it holds more than ${MAX_VALUES} values`;
        break;
    }
  }
  return undefined;
}

/** Where the text that begins at `start` ends: at the first quote that is not escaped. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end;
  }
  return json.length;
}
