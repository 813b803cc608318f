import { describe, expect, it } from 'vitest';
import { understandEntry } from './entries.ts';

describe('spellings of other hosts', () => {
  it.each<[string, unknown, unknown]>([
    ['no type but a command', { command: 'x' }, { type: 'stdio', command: 'x' }],
    ['no type but a url', { url: 'https://a.test/mcp' }, { type: 'http', url: 'https://a.test/mcp' }],
    [
      'streamableHttp',
      { type: 'streamableHttp', url: 'https://a.test/' },
      { type: 'http', url: 'https://a.test/' },
    ],
    [
      'streamable-http',
      { type: 'streamable-http', url: 'https://a.test/' },
      { type: 'http', url: 'https://a.test/' },
    ],
    ['serverUrl', { serverUrl: 'https://a.test/' }, { type: 'http', url: 'https://a.test/' }],
    ['httpUrl', { httpUrl: 'https://a.test/' }, { type: 'http', url: 'https://a.test/' }],
    [
      'numbers and booleans as values',
      { command: 'x', env: { A: 1, B: true } },
      { type: 'stdio', command: 'x', env: { A: '1', B: 'true' } },
    ],
    [
      'null for absent',
      { command: 'x', args: null, env: { A: null }, cwd: null },
      { type: 'stdio', command: 'x', env: {} },
    ],
    [
      'keys of their own',
      { command: 'x', autoApprove: ['a'], disabled: true },
      { type: 'stdio', command: 'x', disabled: true },
    ],
    [
      'the transport that came before Streamable HTTP',
      { type: 'SSE', url: 'https://a.test/sse' },
      { type: 'http', transport: 'sse', url: 'https://a.test/sse' },
    ],
    [
      'a key of ours that only its type may set',
      { transport: 'sse', url: 'https://a.test/sse' },
      { type: 'http', url: 'https://a.test/sse' },
    ],
  ])('%s', (_what, raw, config) => expect(understandEntry(raw)).toEqual(config));
});

describe('an entry that cannot be used', () => {
  it.each<[unknown, RegExp]>([
    [7, /not an object/],
    [[], /not an object/],
    [{}, /neither a "command".*nor a "url"/],
    [{ comand: 'x' }, /neither a "command"/],
    [{ type: 'sse', command: 'x' }, /url/],
    [{ command: '' }, /command/],
    [{ command: 'x', args: 'y' }, /args/],
    [{ command: 'x', env: { A: {} } }, /env/],
    [{ command: 'x', timeoutMs: -1 }, /timeoutMs/],
    [{ command: 'x', era: 'old' }, /era/],
    [{ type: 'sse', url: 'https://a.test/', era: 'modern' }, /only the legacy era/],
    [{ url: 'ftp://a.test/' }, /url/],
    [{ url: 'not a url' }, /url/],
  ])('%j says why', (raw, why) =>
    expect(understandEntry(raw)).toMatchObject({
      code: 'config.entry',
      message: expect.stringMatching(why),
      hint: expect.any(String),
    }),
  );
});
