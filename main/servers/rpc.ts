import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { normalizeMessages } from './normalize.ts';

/** What a line of a server's stdout holds: messages, and text that is none. */
export interface ParsedLine {
  messages: JSONRPCMessage[];
  /** A banner, a log line, or what stood before a message on the same line. */
  noise?: string;
}

/**
 * Reads one line. A log text without a line end may stand before a reply; the reply is then still found. Only a reply:
 * a request in the middle of a line is more likely the server's own log of what it received.
 */
export function parseLine(line: string): ParsedLine {
  const messages = parseJson(line);
  if (messages.length > 0) return { messages };
  const start = line.indexOf('{"jsonrpc"', 1);
  const glued = start === -1 ? [] : parseJson(line.slice(start)).filter(message => !('method' in message));
  return glued.length > 0 ? { messages: glued, noise: line.slice(0, start) } : { messages: [], noise: line };
}

function parseJson(text: string): JSONRPCMessage[] {
  const trimmed = text.trimStart();
  if (!trimmed.startsWith('{') && !trimmed.startsWith('[')) return [];
  try {
    return normalizeMessages(JSON.parse(trimmed)).filter(isMessage);
  } catch {
    return []; // Not JSON: text that only begins like it.
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
