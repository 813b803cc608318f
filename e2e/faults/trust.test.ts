import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { commandLine } from '../support/commandLine.ts';
import { legacyResult, startRawHttp } from '../support/rawHttp.ts';
import { SELF_SIGNED } from './support/selfSigned.ts';

const { parleyWith, serversFile, home } = commandLine();

/** A server whose certificate a company signed for itself. */
async function startSecure(answer: RequestListener): Promise<string> {
  const server = createServer(SELF_SIGNED, answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const behave: RequestListener = async (request, response) => {
  const body = await text(request);
  const message = body === '' ? {} : JSON.parse(body);
  if (message.id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end();
  const result = legacyResult(message);
  const outcome = result ? { result } : { error: { code: -32601, message: 'no such method' } };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...outcome }));
};

/** Where the certificate of the company is. */
function authority(): string {
  const file = join(home(), 'company.pem');
  writeFileSync(file, SELF_SIGNED.cert);
  return file;
}

it('a certificate is trusted when NODE_EXTRA_CA_CERTS names the authority that signed it, and not otherwise', async () => {
  const config = serversFile({ company: { url: await startSecure(behave) } });
  const servers = ['servers', '--json', '--config', config];
  const strict = await parleyWith({}, ...servers);
  expect(strict.result.servers).toMatchObject([{ state: 'failed', error: { code: 'server.tls' } }]);
  const trusting = await parleyWith({ env: { NODE_EXTRA_CA_CERTS: authority() } }, ...servers);
  expect(trusting.result.servers).toMatchObject([{ name: 'company', state: 'ready', tools: 1 }]);
});

it('an encrypted address that leads to one that is not encrypted is not followed, and nothing arrives there (BC-24)', async () => {
  const plain = await startRawHttp();
  const url = await startSecure((_request, response) => {
    response.writeHead(308, { location: plain.url }).end();
  });
  const config = serversFile({ company: { url, headers: { 'X-Api-Key': 'very-secret' } } });
  const { result, stdout, stderr } = await parleyWith(
    { env: { NODE_EXTRA_CA_CERTS: authority() } },
    ...['servers', '--json', '--config', config],
  );
  const message = expect.stringContaining(new URL(plain.url).host);
  expect(result.servers).toMatchObject([{ state: 'failed', error: { code: 'server.redirect', message } }]);
  expect(plain.received).toEqual([]);
  expect(stdout + stderr).not.toContain('very-secret');
});
