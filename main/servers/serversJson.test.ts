import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { HttpServerConfig, KEPT_VALUE, ServerConfig, StdioServerConfig } from '../../shared/servers.ts';
import { maskConfig } from './masking.ts';
import { isListedTwice, readServers, removeServer, renameServer, setServer } from './serversJson.ts';

const PATH = '/data/servers.json';

const COMMENTED = `// My servers
{
  // the first one
  "mcpServers": {
    "alpha": { "command": "node", "args": ["a.js"] }, // trailing
    /* needs a token */
    "beta": {
      "command": "npx",
      "autoApprove": ["x"], // a key of another host
      "env": {
        "TOKEN": "s3cret", // rotate in May
        "LEVEL": "info",
      },
    },
    "gamma": { "url": "https://example.test/mcp", "headers": { "Authorization": "Bearer abc" } },
  },
  "theme": "dark", // not ours
}
`;

describe('reading', () => {
  it('takes comments, trailing commas, a byte order mark and an empty file', () => {
    expect(names(`\uFEFF${COMMENTED}`)).toEqual(['alpha', 'beta', 'gamma']);
    for (const empty of ['', ' \n', '\uFEFF', '// nothing yet\n', '{}', '{"mcpServers":{}}'])
      expect(names(empty)).toEqual([]);
  });

  it('keeps the order of the file, also for names that look like numbers, and names that objects have anyway', () => {
    const text =
      '{"mcpServers":{"b":{"command":"x"},"2":{"command":"x"},"__proto__":{"command":"x"},"1":{"command":"x"}}}';
    expect(names(text)).toEqual(['b', '2', '__proto__', '1']);
  });

  it.each([
    ['{\n  "mcpServers": {\n    "a": { "command" "x" }\n  }\n}', 3, 22, /colon/],
    ['{"mcpServers": {"a": {"command": "x"}}', 1, 39, /closing }/],
    ['{\r\n"mcpServers": {"a": {"command": "C:\\dir"}}}', 2, 33, /backslash/],
    ['\uFEFF{"mcpServers": [}', 1, 17, /./],
    ['{"mcpServers": {}} trailing', 1, 20, /./],
  ])('says where %j is broken', (text, line, column, what) => {
    const result = readServers(text, PATH);
    expect(result).toMatchObject({ error: { code: 'config.syntax', hint: expect.any(String) } });
    const { message } = (result as { error: { message: string } }).error;
    expect(message).toContain(`${PATH} has an error in line ${line}, column ${column}`);
    expect(message).toMatch(what);
  });

  it.each(['[]', '"text"', '3', '{"mcpServers": []}', '{"mcpServers": null}'])(
    'says that %s has the wrong shape',
    text => expect(readServers(text, PATH)).toMatchObject({ error: { code: 'config.shape' } }),
  );

  it('sets a bad entry apart from the good ones', () => {
    const { entries } = read(
      '{"mcpServers":{"bad":{"comand":"x"},"good":{"command":"x"},"worse":7," ":{"command":"x"}}}',
    );
    expect(entries.get('good')).toEqual({ type: 'stdio', command: 'x' });
    for (const name of ['bad', 'worse', ' '])
      expect(entries.get(name)).toMatchObject({ code: 'config.entry', message: expect.any(String) });
  });
});

describe('editing', () => {
  it('touches nothing but what changes', () => {
    const next = setServer(COMMENTED, 'beta', {
      type: 'stdio',
      command: 'npx',
      env: { TOKEN: KEPT_VALUE, LEVEL: 'debug' },
    });
    expect(next).toBe(COMMENTED.replace('"info"', '"debug"'));
  });

  it('writes nothing at all when nothing changes', () => {
    for (const [name, entry] of read(COMMENTED).entries)
      expect(setServer(COMMENTED, name, entry as ServerConfig)).toBe(COMMENTED);
  });

  it('keeps keys of other hosts, comments and the place when an entry is renamed and edited', () => {
    const renamed = renameServer(COMMENTED, 'beta', 'delta');
    expect(renamed).toBe(COMMENTED.replace('"beta"', '"delta"'));
    const text = setServer(renamed, 'delta', { type: 'stdio', command: 'uvx', env: { TOKEN: KEPT_VALUE } });
    expect(names(text)).toEqual(['alpha', 'delta', 'gamma']);
    for (const kept of [
      '// rotate in May',
      '/* needs a token */',
      '"autoApprove": ["x"], // a key',
      '"theme": "dark"',
    ])
      expect(text).toContain(kept);
    expect(text).not.toContain('LEVEL');
    expect(read(text).entries.get('delta')).toMatchObject({ command: 'uvx', env: { TOKEN: 's3cret' } });
  });

  it('switches off and on again without a trace', () => {
    const alpha = read(COMMENTED).entries.get('alpha') as ServerConfig;
    const off = setServer(COMMENTED, 'alpha', { ...alpha, disabled: true });
    expect(read(off).entries.get('alpha')).toMatchObject({ disabled: true });
    expect(setServer(off, 'alpha', alpha)).toBe(COMMENTED);
  });

  it('turns a local server into a remote one and leaves no key of the old kind', () => {
    const text = setServer(COMMENTED, 'beta', { type: 'http', url: 'https://b.test/mcp' });
    expect(read(text).entries.get('beta')).toEqual({ type: 'http', url: 'https://b.test/mcp' });
    expect(text).toContain('autoApprove');
    expect(text).not.toContain('s3cret');
  });

  it('removes an entry, the first, the middle or the last, and nothing else', () => {
    for (const name of ['alpha', 'beta', 'gamma']) {
      const text = removeServer(COMMENTED, name);
      expect(names(text)).toEqual(['alpha', 'beta', 'gamma'].filter(other => other !== name));
      for (const kept of ['// My servers', '// trailing', '/* needs a token */', '// not ours'])
        expect(text).toContain(kept);
    }
    const last = '{\n  "mcpServers": {\n    "a": { "command": "x" },\n    "b": { "command": "y" }\n  }\n}\n';
    expect(JSON.parse(removeServer(last, 'b'))).toEqual({ mcpServers: { a: { command: 'x' } } });
  });

  it('never writes the mark that stands for a kept value into the file', () => {
    const text = setServer('', 'new', {
      type: 'http',
      url: 'https://x.test/',
      headers: { Authorization: KEPT_VALUE },
    });
    expect(text).not.toContain(KEPT_VALUE);
    const moved = setServer(COMMENTED, 'beta', {
      type: 'http',
      url: 'https://x.test/',
      headers: { A: KEPT_VALUE },
    });
    expect(moved).not.toContain(KEPT_VALUE);
  });

  it('edits the authorization member by member, and keeps what it does not know', () => {
    const auth =
      '{ "clientId": "a", /* by hand */ "clientSecret": "s3cret", "flow": "x", "idp": { "issuer": "https://i.test", "clientId": "b", "idToken": "t0ken", "more": 1 } }';
    const text = `{"mcpServers":{"far":{"url":"https://a.test/","auth":${auth}}}}`;
    const far = read(text).entries.get('far') as HttpServerConfig;
    expect(setServer(text, 'far', maskConfig(far))).toBe(text);
    const changed = setServer(text, 'far', maskConfig({ ...far, auth: { ...far.auth, clientId: 'c' } }));
    expect(changed).toBe(text.replace('"clientId": "a"', '"clientId": "c"'));
    const { auth: _auth, ...without } = far;
    expect(parse(setServer(text, 'far', without)).mcpServers.far).toEqual({
      url: 'https://a.test/',
      auth: { flow: 'x' },
    });
    const known = text.replace(' "flow": "x",', '');
    expect(parse(setServer(known, 'far', without)).mcpServers.far).toEqual({ url: 'https://a.test/' });
  });

  it('keeps an entry usable whose secret has gone from the file while it was edited', () => {
    const auth = { clientId: 'a', clientSecret: KEPT_VALUE };
    const text = setServer('', 'far', { type: 'http', url: 'https://a.test/', auth });
    expect(read(text).entries.get('far')).toMatchObject({ type: 'http', auth: { clientId: 'a' } });
    expect(text).not.toContain('clientSecret');
  });

  it('keeps CRLF and tabs', () => {
    const text = '{\r\n\t"mcpServers": {\r\n\t\t"a": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}\r\n';
    const next = setServer(text, 'b', { type: 'stdio', command: 'y', args: ['1'] });
    expect(next.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(next).toContain('\r\n\t\t"b": {\r\n\t\t\t"command": "y",');
    expect(removeServer(next, 'b')).toMatch(/^\{\r\n\t"mcpServers": \{\r\n\t\t"a"/);
  });

  it('begins an empty file, keeps a byte order mark, and puts one under an object without servers', () => {
    const config: ServerConfig = { type: 'stdio', command: 'x' };
    expect(JSON.parse(setServer('', 'a', config))).toEqual({ mcpServers: { a: { command: 'x' } } });
    expect(setServer('\uFEFF{}', 'a', config).startsWith('\uFEFF{')).toBe(true);
    expect(parse(setServer('{ "theme": "dark" /* mine */ }', 'a', config))).toEqual({
      theme: 'dark',
      mcpServers: { a: { command: 'x' } },
    });
  });

  it('knows an entry that is listed twice', () => {
    const text = '{"mcpServers":{"a":{"command":"1"},"b":{"command":"x"},"a":{"command":"2"}}}';
    expect(isListedTwice(text, 'a')).toBe(true);
    expect(isListedTwice(text, 'b')).toBe(false);
  });
});

describe('whatever the file and the config are', () => {
  const name = fc
    .string({ minLength: 1, maxLength: 20, unit: 'binary' })
    .filter(text => text.trim() === text && text !== '');
  const values = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.string({ maxLength: 12 }), {
    maxKeys: 3,
    noNullPrototype: true,
  });
  const common = {
    timeoutMs: fc.integer({ min: 1, max: 86_400_000 }),
    disabled: fc.constant(true),
    roots: fc.array(fc.string({ minLength: 1 })),
  };
  const stdio = fc.record(
    {
      type: fc.constant('stdio' as const),
      command: fc.string({ minLength: 1 }),
      args: fc.array(fc.string()),
      env: values,
      cwd: fc.string(),
      era: fc.constantFrom('modern' as const, 'legacy' as const),
      ...common,
    },
    { requiredKeys: ['type', 'command'], noNullPrototype: true },
  );
  const http = fc.record(
    {
      type: fc.constant('http' as const),
      transport: fc.constant('sse' as const),
      url: fc.webUrl(),
      headers: values,
      auth: fc.record(
        {
          clientId: fc.string({ minLength: 1 }),
          clientSecret: fc.string({ minLength: 1 }),
          scope: fc.constant('a b'),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
      era: fc.constant('legacy' as const),
      ...common,
    },
    { requiredKeys: ['type', 'url'], noNullPrototype: true },
  );
  const config = fc
    .oneof(stdio, http)
    .map(raw => (raw.type === 'stdio' ? StdioServerConfig : HttpServerConfig).safeParse(raw))
    .filter(({ success }) => success)
    .map(({ data }) => withoutEmpty(ServerConfig.parse(data)));
  const edits = fc.array(
    fc.oneof(
      fc.record({ what: fc.constant('set' as const), name, config }),
      fc.record({ what: fc.constant('remove' as const), name }),
      fc.record({ what: fc.constant('rename' as const), name, to: name }),
    ),
    { maxLength: 8 },
  );
  const start = fc.constantFrom(
    '',
    '\uFEFF{}',
    COMMENTED,
    COMMENTED.replaceAll('\n', '\r\n'),
    '{"mcpServers":{},}',
  );

  it('what was written is what is read, entry by entry, and everything else stays', () => {
    fc.assert(
      fc.property(start, edits, (text, list) => {
        const expected = new Map(read(text).entries);
        const last = list.reduce((before, edit) => {
          if (edit.what === 'set') {
            expected.set(edit.name, edit.config);
            return setServer(before, edit.name, edit.config);
          }
          if (edit.what === 'remove') {
            expected.delete(edit.name);
            return removeServer(before, edit.name);
          }
          const old = expected.get(edit.name);
          if (!old || expected.has(edit.to)) return before;
          const renamed = new Map(
            [...expected].map(([key, value]) => [key === edit.name ? edit.to : key, value]),
          );
          expected.clear();
          for (const [key, value] of renamed) expected.set(key, value);
          return renameServer(before, edit.name, edit.to);
        }, text);
        expect([...read(last).entries]).toEqual([...expected]);
        if (text.includes('My servers')) {
          expect(last).toContain('// My servers');
          expect(last).toContain('"theme": "dark", // not ours');
        }
        expect(last.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
      }),
      { numRuns: 300 },
    );
  });

  it('no text makes the reader throw', () => {
    const jsonish = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map(json => `{"mcpServers": ${json}, // x\n}`),
    );
    fc.assert(
      fc.property(jsonish, text => void readServers(text, PATH)),
      { numRuns: 500 },
    );
  });
});

function read(text: string) {
  const result = readServers(text, PATH);
  if ('error' in result) throw new Error(result.error.message);
  return result;
}

function names(text: string): string[] {
  return [...read(text).entries.keys()];
}

/** An empty map of values says the same as none. */
function withoutEmpty(config: ServerConfig): ServerConfig {
  return Object.fromEntries(
    Object.entries(config).filter(
      ([key, value]) => !((key === 'env' || key === 'headers') && Object.keys(value as object).length === 0),
    ),
  ) as ServerConfig;
}
