import { describe, expect, it } from 'vitest';
import { type HttpServerConfig, KEPT_VALUE, type ServerConfig } from '../../shared/servers.ts';
import { maskConfig, redactor } from './masking.ts';
import { readServers, setServer } from './serversJson.ts';

const LOCAL: ServerConfig = {
  type: 'stdio',
  command: 'x',
  args: ['-v'],
  env: { TOKEN: 's3cret-1', EMPTY: '' },
};
const REMOTE: ServerConfig = {
  type: 'http',
  url: 'https://a.test/',
  headers: { Authorization: 'Bearer s3cret-2' },
};

const SIGNED: ServerConfig = {
  type: 'http',
  url: 'https://a.test/',
  auth: {
    grant: 'enterprise',
    clientId: 'parley',
    clientSecret: 's3cret-3',
    privateKey: 's3cret-4',
    assertion: 's3cret-5',
    scope: 'read',
    idp: { issuer: 'https://i.test', clientId: 'b', clientSecret: 's3cret-6', idToken: 's3cret-7' },
  },
};

describe('a config outside the main process', () => {
  it.each([LOCAL, REMOTE, SIGNED])('has the names but none of the values: %j', config => {
    const masked = maskConfig(config);
    expect(JSON.stringify(masked)).not.toContain('s3cret');
    expect(JSON.stringify(masked)).toContain(KEPT_VALUE);
    expect(masked.type).toBe(config.type);
  });

  it('shows what is no secret of an authorization, and references as they are', () => {
    const { auth } = maskConfig(SIGNED) as HttpServerConfig;
    expect(auth).toMatchObject({
      clientId: 'parley',
      scope: 'read',
      idp: { issuer: 'https://i.test', clientId: 'b' },
    });
    const config: ServerConfig = {
      type: 'http',
      url: 'https://a.test/',
      headers: {
        Authorization: 'Bearer ${secret:TOKEN}',
        'X-Key': '${env:KEY}',
        'X-Both': 's3cret ${secret:TOKEN}',
        'X-Two': '${secret:A}s3cret',
      },
      auth: { clientId: 'a', clientSecret: '${secret:CLIENT}' },
    };
    expect(maskConfig(config)).toEqual({
      ...config,
      headers: { ...config.headers, 'X-Both': KEPT_VALUE, 'X-Two': KEPT_VALUE },
    });
  });

  it.each([LOCAL, REMOTE, SIGNED])('keeps its values when it comes back as it was: %j', config => {
    const text = setServer('', 'a', config);
    expect(setServer(text, 'a', maskConfig(config))).toBe(text);
  });

  it('keeps only the values that were not typed anew', () => {
    const text = setServer('', 'a', LOCAL);
    const edited = { ...LOCAL, env: { TOKEN: KEPT_VALUE, EMPTY: 'now something', MORE: 'new' } };
    const result = readServers(setServer(text, 'a', edited), 'f');
    expect('entries' in result && result.entries.get('a')).toMatchObject({
      env: { TOKEN: 's3cret-1', EMPTY: 'now something', MORE: 'new' },
    });
  });
});

describe('a text', () => {
  const config: ServerConfig = {
    type: 'stdio',
    command: 'x',
    env: {
      A: 'abcdef',
      B: 'abcdef-longer',
      KEY: 'line one\nline two',
      LEVEL: 'debug',
      PORT: '8080',
      ON: 'true',
      LANG: 'pt',
    },
  };
  it.each([
    ['the token abcdef-longer is wrong', 'the token [hidden] is wrong'],
    ['abcdef abcdef', '[hidden] [hidden]'],
    ['it said: line two', 'it said: [hidden]'],
    ['debug on port 8080: true, pt', 'debug on port 8080: true, pt'],
  ])('%j loses the secrets and nothing else', (text, expected) =>
    expect(redactor(config)(text)).toBe(expected),
  );

  it('loses every secret of an authorization', () => {
    const text = JSON.stringify(SIGNED.auth);
    expect(redactor(SIGNED)(text)).not.toContain('s3cret');
    expect(redactor(SIGNED)(text)).toContain('parley');
  });

  it('loses what references were replaced by, also in the middle of a value', () => {
    const hide = redactor({ type: 'stdio', command: 'x', args: ['--key=given-value'] }, ['given-value']);
    expect(hide('usage: x --key=given-value, not given-valu')).toBe(
      'usage: x --key=[hidden], not given-valu',
    );
    expect(
      redactor({ type: 'stdio', command: 'x', env: { A: '${secret:A}' } })('it says ${secret:A}'),
    ).toContain('${secret:A}');
  });

  it('loses the token of a scheme also without its scheme', () => {
    expect(redactor(REMOTE)('401 for s3cret-2; Bearer s3cret-2')).toBe('401 for [hidden]; [hidden]');
  });
});
