import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '../../../shared/tools.ts';
import { legacyResult, startRawHttp } from '../../support/rawHttp.ts';
import type { Era } from './bench.ts';

/** One request as a fault gets it. */
export interface Turn {
  id: string | number | undefined;
  params: JsonObject | undefined;
  /** All of it. */
  message: JsonObject;
  request: IncomingMessage;
  response: ServerResponse;
  /** How often this kind of request has arrived, this one included. */
  nth: number;
  /** What a sound server would send as JSON. */
  sound: string;
  /** Answers as a sound server would. */
  behave(): void;
}

/** What happens instead of the ordinary, by JSON-RPC method; `get`, `post` and `delete` are those without one, `all` any other. */
export type Faults = Record<string, Fault>;
export type Fault = (turn: Turn) => void;

/** An HTTP server of either era that has these faults. Ends with the test. */
export async function startFaultyHttp(
  era: Era,
  faults: Faults,
  { port = 0, firstSession = 1 }: { port?: number; firstSession?: number } = {},
) {
  const seen = new Map<string, number>();
  let session = firstSession;
  const server = await startRawHttp((message, response, request) => {
    const kind = message.method ?? request.method?.toLowerCase() ?? '';
    const nth = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, nth);
    const { id, params } = message;
    const result = era === 'modern' ? modernResult(message.method) : legacyResult(message);
    const outcome = result ? { result } : { error: { code: -32601, message: 'no such method' } };
    const sound = JSON.stringify({ jsonrpc: '2.0', id, ...outcome });
    const behave = () => {
      if (request.method === 'DELETE') return void response.writeHead(200).end();
      if (request.method !== 'POST') return void response.writeHead(405).end();
      if (id === undefined) return void response.writeHead(202).end();
      if (message.method === 'initialize' && era === 'legacy')
        response.setHeader('mcp-session-id', `s${session++}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end(sound);
    };
    const fault = faults[kind] ?? faults.all;
    if (!fault) behave();
    else fault({ id, params, message: message as JsonObject, request, response, nth, sound, behave });
    return true;
  }, port);
  return { ...server, calls: () => server.count('tools/call') };
}

function modernResult(method: string | undefined): JsonObject | undefined {
  if (method === 'initialize') return undefined;
  const result =
    method === 'server/discover'
      ? {
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          serverInfo: { name: 'faulty', version: '0' },
        }
      : legacyResult({ method: method ?? '' });
  return result && { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result };
}

/** Begins an event stream. */
export function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}
