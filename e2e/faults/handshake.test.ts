import { describe, expect, it } from 'vitest';
import { type Era, startWithNeighbour } from './support/bench.ts';
import { type Fault, startFaultyHttp } from './support/faultyHttp.ts';

const LEGACY = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'x', version: '0' },
};
const MODERN = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: 'private',
};

/** A server that says this of itself, beside a sound one. */
async function startSaying(era: Era, result: unknown) {
  const fault: Fault = ({ response, id }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
  const { url } = await startFaultyHttp(era, {
    [era === 'legacy' ? 'initialize' : 'server/discover']: fault,
  });
  return startWithNeighbour({ url });
}

describe('a server that says of itself', () => {
  it.each<[string, Era, unknown]>([
    ['null as capabilities', 'legacy', { ...LEGACY, capabilities: null }],
    ['a list as capabilities', 'legacy', { ...LEGACY, capabilities: [] }],
    ['a list as one capability', 'legacy', { ...LEGACY, capabilities: { tools: [], experimental: [] } }],
    [
      'true as one capability, false as another',
      'legacy',
      { ...LEGACY, capabilities: { tools: true, prompts: false } },
    ],
    ['not who it is', 'legacy', { ...LEGACY, serverInfo: null }],
    ['only half of who it is', 'legacy', { ...LEGACY, serverInfo: { name: 'x' } }],
    ['a number as its version', 'legacy', { ...LEGACY, serverInfo: { name: 'x', version: 1 } }],
    ['a number as instructions', 'legacy', { ...LEGACY, instructions: 5 }],
    [
      'names of prototypes',
      'legacy',
      { ...LEGACY, capabilities: JSON.parse('{"tools":{},"__proto__":{"a":1}}') },
    ],
    ['null as capabilities (modern)', 'modern', { ...MODERN, capabilities: null }],
    ['a list as capabilities (modern)', 'modern', { ...MODERN, capabilities: [] }],
  ])('%s is used all the same', async (_what, era, result) => {
    const { isReady, call, neighbourIsWell } = await startSaying(era, result);
    await isReady();
    expect((await call()).content).toEqual([{ type: 'text', text: 'ok' }]);
    await neighbourIsWell();
  });

  it.each<[string, Era, unknown, { code: string; message: RegExp }]>([
    [
      'a version of long ago',
      'legacy',
      { ...LEGACY, protocolVersion: '1999-01-01' },
      { code: 'server.version', message: /no version of the protocol in common \(it speaks 1999-01-01\)/ },
    ],
    [
      'a version to come',
      'legacy',
      { ...LEGACY, protocolVersion: '2099-01-01' },
      { code: 'server.version', message: /it speaks 2099-01-01/ },
    ],
    [
      'a version that is a number',
      'legacy',
      { ...LEGACY, protocolVersion: 5 },
      { code: 'server.notMcp', message: /cannot be understood: .*protocolVersion/ },
    ],
    [
      'text',
      'legacy',
      'hello',
      { code: 'server.refusal', message: /answered with string instead of a result/ },
    ],
    [
      'only versions to come, and knows no older handshake',
      'modern',
      { ...MODERN, supportedVersions: ['2099-01-01'] },
      { code: 'server.refusal', message: /refused to begin: no such method/ },
    ],
    [
      'no version at all',
      'modern',
      { ...MODERN, supportedVersions: [] },
      { code: 'server.refusal', message: /refused to begin: no such method/ },
    ],
  ])('%s is not used, and that is told in words', async (_what, era, result, words) => {
    const { hasFailed, neighbourIsWell } = await startSaying(era, result);
    expect(await hasFailed()).toMatchObject({
      code: words.code,
      message: expect.stringMatching(words.message),
      hint: expect.stringContaining('Update the server'),
    });
    await neighbourIsWell();
  });
});
