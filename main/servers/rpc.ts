import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { normalizeMessages } from './normalize.ts';
import { answerInPlace, endsOf, parseBounded, Unreadable } from './unreadable.ts';

/** What a line of a server's stdout holds: messages, and text that is none. */
export interface ParsedLine {
  messages: JSONRPCMessage[];
  /** What they were before any repair. */
  json?: unknown;
  /** A banner, a log line, or what stood before a message on the same line. */
  noise?: string;
  /** Why it was not read. */
  unreadable?: string;
}

/**
 * Reads one line. A log text without a line end may stand before a reply; the reply is then still found. Only a reply:
 * a request in the middle of a line is more likely the server's own log of what it received.
 */
export function parseLine(line: string): ParsedLine {
  const whole = parseJson(line);
  if (whole) return whole;
  const start = line.indexOf('{"jsonrpc"', 1);
  const glued = start === -1 ? undefined : parseJson(line.slice(start));
  const replies = glued?.messages.filter(message => !('method' in message)) ?? [];
  return replies.length > 0
    ? { messages: replies, json: glued?.json, noise: line.slice(0, start) }
    : { messages: [], noise: line };
}

/** Undefined when there is no message in it. */
function parseJson(text: string): ParsedLine | undefined {
  const trimmed = text.trimStart();
  if (!trimmed.startsWith('{') && !trimmed.startsWith('[')) return undefined;
  try {
    const json = parseBounded(trimmed);
    const messages = normalizeMessages(json).filter(isMessage);
    return messages.length > 0 ? { messages, json } : undefined;
  } catch (error) {
    if (error instanceof Unreadable) {
      const answer = answerInPlace(endsOf(trimmed), error.message);
      return { messages: answer ? [answer] : [], unreadable: error.message };
    }
    return undefined; // Not JSON: text that only begins like it.
  }
}

/** Whether it is JSON-RPC at all; what a method makes of it is the SDK's to check. */
export function isMessage(candidate: unknown): candidate is JSONRPCMessage {
  const message = candidate as Record<string, unknown>;
  if (message.jsonrpc !== '2.0') return false;
  return (
    typeof message.method === 'string' ||
    (message.id !== undefined && ('result' in message || 'error' in message))
  );
}
