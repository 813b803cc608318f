// @ts-check
// A server that costs next to nothing, so that what is measured is the client: no library, no validation, both eras.
// Arguments: stdio | http, modern | legacy, number of tools.
// Over HTTP it prints its port on stdout.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const [transport, era = 'legacy', tools = '1'] = process.argv.slice(2);
const serverInfo = { name: 'light', version: '1.0.0' };
const capabilities = { tools: {} };
const list = Array.from({ length: Number(tools) }, (_, index) => ({
  name: `tool-${index}`,
  description: `Answers with the text that it is given. Number ${index} of its kind.`,
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'What to answer' },
      times: { type: 'integer', minimum: 1, maximum: 9, description: 'How often' },
      style: { enum: ['plain', 'loud'], description: 'How' },
    },
    required: ['text'],
  },
}));
const complete = era === 'modern' ? { resultType: 'complete' } : {};

/** @type {Record<string, (params: any) => object>} */
const methods = {
  'tools/list': () => ({
    ...complete,
    tools: list,
    ...(era === 'modern' ? { ttlMs: 0, cacheScope: 'private' } : {}),
  }),
  'tools/call': params => ({ ...complete, content: [{ type: 'text', text: params.arguments.text }] }),
  ping: () => ({}),
  ...(era === 'modern'
    ? {
        'server/discover': () => ({
          ...complete,
          ttlMs: 0,
          cacheScope: 'private',
          supportedVersions: ['2026-07-28'],
          capabilities,
          serverInfo,
        }),
      }
    : { initialize: params => ({ protocolVersion: params.protocolVersion, capabilities, serverInfo }) }),
};

/** @param {string} text @returns {string | undefined} */
function answer(text) {
  const { id, method, params } = JSON.parse(text);
  if (id === undefined) return undefined;
  const known = methods[method];
  const reply = known ? { result: known(params) } : { error: { code: -32601, message: 'Method not found' } };
  return JSON.stringify({ jsonrpc: '2.0', id, ...reply });
}

if (transport === 'stdio') {
  createInterface({ input: process.stdin }).on('line', line => {
    const reply = answer(line);
    if (reply !== undefined) process.stdout.write(`${reply}\n`);
  });
} else {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', chunk => (body += chunk))
      .on('end', () => {
        const reply = answer(body);
        if (reply === undefined) return void response.writeHead(202).end();
        response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
      });
  });
  server.listen(0, '127.0.0.1', () =>
    console.log(/** @type {import('node:net').AddressInfo} */ (server.address()).port),
  );
  // Ends with whoever started it.
  process.stdin.resume().on('end', () => process.exit());
}
