import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createSampleServer } from './server.ts';
import { World } from './world.ts';

/** Serves the sample server on 127.0.0.1; port 0 takes any free one. */
export async function serveHttp(port: number): Promise<{ url: string; close(): Promise<void> }> {
  const world = new World();
  // A fresh instance answers each request, so a changed list is told through the handler, not the instance.
  const handler = createMcpHandler(() => createSampleServer(world), {
    onerror: error => console.error(error.message),
  });
  const forget = world.onChange(() => handler.notify.toolsChanged());

  const serve = toNodeHandler(handler) as RequestListener;
  const isLocalHost = localhostHostValidation();
  const isLocalOrigin = localhostOriginValidation();
  const server = createServer((request, response) => {
    if (!isLocalHost(request, response) || !isLocalOrigin(request, response)) return;
    if (new URL(request.url ?? '/', 'http://localhost').pathname === '/mcp') void serve(request, response);
    else response.writeHead(404).end();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      forget();
      await handler.close();
      await world.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
