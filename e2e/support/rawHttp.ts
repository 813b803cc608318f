import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../shared/tools.ts';

/** One request as it arrived. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** The JSON-RPC method, when the body is a message. */
  rpc: string | undefined;
}

type RpcMessage = { id?: number | string; method?: string; params?: JsonObject };
/** Returns true when it has answered, or will. */
type Takeover = (
  message: RpcMessage,
  response: ServerResponse,
  request: IncomingMessage,
) => boolean | undefined;

/**
 * A legacy Streamable HTTP server without an SDK on a port of its own, so that it can misbehave on purpose: `takeover`
 * may answer any request in its place. Ends with the test.
 */
export async function startRawHttp(takeover: Takeover = () => false, port = 0) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const message: RpcMessage = body === '' ? {} : JSON.parse(body);
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers, rpc: message.method });
    if (takeover(message, response, request)) return;
    if (method === 'DELETE') return response.writeHead(200).end();
    if (method !== 'POST') return response.writeHead(405).end();
    if (message.id === undefined) return response.writeHead(202).end();
    const result = legacyResult(message);
    if (message.method === 'initialize') response.setHeader('mcp-session-id', 's1');
    if (result) sendJson(response, { id: message.id, result });
    else sendJson(response, { id: message.id, error: { code: -32601, message: 'no such method' } });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  onTestFinished(close);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** How often this JSON-RPC method arrived. */
  const count = (rpc: string) => received.filter(request => request.rpc === rpc).length;
  return { origin, url: `${origin}/mcp`, received, count, close };
}

export function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', ...body }));
}

/** What a plain legacy server answers; undefined for a method that it does not know. */
export function legacyResult({ method }: RpcMessage): JsonObject | undefined {
  if (method === 'initialize')
    return {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'rawhttp', version: '0' },
    };
  if (method === 'tools/list') return { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] };
  if (method === 'tools/call') return { content: [{ type: 'text', text: 'ok' }] };
  return undefined;
}

/** A TCP proxy in front of a server on this machine, whose connections can be cut. Ends with the test. */
export async function startProxy(target: string) {
  const to = new URL(target);
  const open = new Set<Socket>();
  const proxy = createTcpServer(incoming => {
    const outgoing = connect(Number(to.port), to.hostname);
    for (const [from, into] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(from);
      from.pipe(into);
      from.on('error', () => into.destroy());
      from.on('close', () => {
        open.delete(from);
        into.destroy();
      });
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const cut = () => {
    for (const socket of open) socket.resetAndDestroy();
  };
  onTestFinished(async () => {
    const closed = once(proxy, 'close');
    proxy.close();
    cut();
    await closed;
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${to.pathname}`, cut };
}
