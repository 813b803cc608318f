import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ImportedServer, importText, parseImport } from './importJson.ts';

const stdio = { type: 'stdio', command: 'npx', args: ['-y', 'some-server'] };

function servers(text: string): ImportedServer[] {
  const read = parseImport(text);
  if ('error' in read) throw new Error(read.error);
  return read.servers;
}

describe('pasted servers', () => {
  it.each([
    ['the whole file', '{"mcpServers":{"one":{"command":"npx","args":["-y","some-server"]}}}'],
    [
      'the file of other programs',
      '{"servers":{"one":{"type":"stdio","command":"npx","args":["-y","some-server"]}}}',
    ],
    ['the bare map', '{"one":{"command":"npx","args":["-y","some-server"]}}'],
    ['a piece of a file', '"one": {"command":"npx","args":["-y","some-server"]},'],
    ['one entry with its name inside', '{"name":"one","command":"npx","args":["-y","some-server"]}'],
    [
      'comments, commas and a mark',
      '\ufeff{ // mine\n"one":{"command":"npx","args":["-y","some-server",],},}\r\n',
    ],
  ])('are read from %s', (_, text) => {
    expect(servers(text)).toEqual([{ name: 'one', config: stdio, ignored: [] }]);
  });

  it('may be reached by URL, under several keys', () => {
    for (const key of ['url', 'serverUrl', 'httpUrl'])
      expect(servers(`{"far":{"${key}":"https://example.com/mcp","headers":{"X":"1"}}}`)[0]?.config).toEqual({
        type: 'http',
        url: 'https://example.com/mcp',
        headers: { X: '1' },
      });
  });

  it('keep their environment as text', () => {
    expect(servers('{"one":{"command":"a","env":{"PORT":8080,"ON":true}}}')[0]?.config).toMatchObject({
      env: { PORT: '8080', ON: 'true' },
    });
  });

  it('lose the keys that Parley does not know, which are named', () => {
    const [only] = servers('{"one":{"command":"a","autoApprove":["x"],"dxtPath":"/evil"}}');
    expect(only?.config).toEqual({ type: 'stdio', command: 'a' });
    expect(only?.ignored).toEqual(['autoApprove', 'dxtPath']);
  });

  it('do not hide each other when one is broken', () => {
    const read = parseImport(
      '{"mcpServers":{"a":{"command":"x"},"b":{},"c":{"command":"x","args":"y"},"d":{"url":"ftp://x"}, " ":{"command":"x"}, "e": 1}}',
    );
    expect(read).toMatchObject({
      servers: [{ name: 'a' }],
      problems: [{ name: 'b' }, { name: 'c' }, { name: 'd' }, { name: ' ' }, { name: 'e' }],
    });
  });

  it('are told by line and column when the JSON is broken', () => {
    expect(parseImport('{\n  "a": oops\n}')).toEqual({
      error: 'This is not valid JSON: invalid symbol in line 2, column 8.',
    });
    expect(parseImport('[1]')).toHaveProperty('error');
    expect(parseImport('')).toHaveProperty('error');
  });

  it('are sent as they were shown, switched on or off; what was off stays off', () => {
    const shown = servers('{"one":{"command":"npx","args":["-y","some-server"],"extra":1}}');
    const off = { mcpServers: { one: { ...stdio, disabled: true } } };
    expect(JSON.parse(importText(shown, false))).toEqual({ mcpServers: { one: stdio } });
    expect(JSON.parse(importText(shown, true))).toEqual(off);
    expect(JSON.parse(importText(servers(JSON.stringify(off)), false))).toEqual(off);
  });

  it('keep all that Parley knows of an entry, and name what it does not know of its authorization', () => {
    const own = { disabled: true, timeoutMs: 5_000, roots: ['/projects'], era: 'legacy' as const };
    const auth = { clientId: 'parley', clientSecret: '${secret:CLIENT}', scope: 'read' };
    const far = { url: 'https://example.com/mcp', headers: { 'X-Key': '${env:KEY}' }, ...own };
    const shown = servers(
      JSON.stringify({ near: { ...stdio, ...own }, far: { ...far, auth: { ...auth, flow: 'x' } } }),
    );
    expect(shown).toEqual([
      { name: 'near', config: { ...stdio, ...own }, ignored: [] },
      { name: 'far', config: { type: 'http', ...far, auth }, ignored: ['auth.flow'] },
    ]);
    expect(JSON.parse(importText(shown, false)).mcpServers).toEqual({
      near: { ...stdio, ...own },
      far: { type: 'http', ...far, auth },
    });
  });

  it('are read back as they are sent, whatever was pasted', () => {
    const entry = fc.record(
      {
        command: fc.string(),
        args: fc.array(fc.string()),
        env: fc.dictionary(fc.string(), fc.jsonValue()),
        url: fc.oneof(fc.jsonValue(), fc.webUrl()),
        auth: fc.oneof(fc.jsonValue(), fc.record({ clientId: fc.string(), scope: fc.string() })),
        roots: fc.oneof(fc.jsonValue(), fc.array(fc.string())),
        disabled: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(entry, fc.jsonValue())), map => {
        const first = parseImport(JSON.stringify(map));
        if ('error' in first) return;
        const again = parseImport(importText(first.servers, false));
        const strip = ({ name, config: { disabled: _, ...config } }: ImportedServer) => ({ name, config });
        expect('error' in again ? again : again.servers.map(strip)).toEqual(first.servers.map(strip));
      }),
    );
  });
});
