import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { commandLine } from '../support/commandLine.ts';
import { legacyResult } from '../support/rawHttp.ts';
import { SELF_SIGNED } from './support/selfSigned.ts';

const { parleyWith, serversFile, home } = commandLine();

/** A server whose certificate a company signed for itself. */
async function startSecure(): Promise<string> {
  const server = createServer(SELF_SIGNED, async (request, response) => {
    const body = await text(request);
    const message = body === '' ? {} : JSON.parse(body);
    if (message.id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end();
    const result = legacyResult(message);
    const outcome = result ? { result } : { error: { code: -32601, message: 'no such method' } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...outcome }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

it('a certificate is trusted when NODE_EXTRA_CA_CERTS names the authority that signed it, and not otherwise', async () => {
  const config = serversFile({ company: { url: await startSecure() } });
  const authority = join(home(), 'company.pem');
  writeFileSync(authority, SELF_SIGNED.cert);
  const servers = ['servers', '--json', '--config', config];
  const strict = await parleyWith({}, ...servers);
  expect(strict.result.servers).toMatchObject([{ state: 'failed', error: { code: 'server.tls' } }]);
  const trusting = await parleyWith({ env: { NODE_EXTRA_CA_CERTS: authority } }, ...servers);
  expect(trusting.result.servers).toMatchObject([{ name: 'company', state: 'ready', tools: 1 }]);
});
