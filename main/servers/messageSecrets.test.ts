import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactor } from './masking.ts';
import { hideSecrets } from './messageSecrets.ts';

const OWN = 'q8-own\nsecond line';
const redact = redactor({ type: 'stdio', command: 'x', env: { KEY: OWN } });
const hide = (text: string, isCut = false) => hideSecrets(text, { isCut, redact });
const hideJson = (value: unknown) => JSON.parse(hide(JSON.stringify(value)));

describe('a message that is looked at', () => {
  it.each<[string, unknown, unknown]>([
    ['the own secret of the server', { text: `key: ${OWN}` }, { text: 'key: [hidden]' }],
    ['in a name', { [OWN]: 1 }, { '[hidden]': 1 }],
    ['a name that says so', { password: 'hunter2' }, { password: '[hidden]' }],
    ['in another spelling', { 'X-API-Key': 'hunter2' }, { 'X-API-Key': '[hidden]' }],
    [
      'behind another word',
      { dbPassword: 'a', client_secret: 'b' },
      { dbPassword: '[hidden]', client_secret: '[hidden]' },
    ],
    [
      'tokens',
      { access_token: 'a', refreshTokens: ['b'] },
      { access_token: '[hidden]', refreshTokens: '[hidden]' },
    ],
    ['a whole object', { credentials: { user: 'ada', key: 'x' } }, { credentials: '[hidden]' }],
    [
      'a header',
      { headers: { Authorization: 'x', Cookie: 'y' } },
      { headers: { Authorization: '[hidden]', Cookie: '[hidden]' } },
    ],
    ['what only the server may understand', { requestState: 'opaque' }, { requestState: '[hidden]' }],
    ['several', { secrets: ['a'], apiKeys: { a: 'b' } }, { secrets: '[hidden]', apiKeys: '[hidden]' }],
    ['a number', { passcode: 1234 }, { passcode: '[hidden]' }],
    ['deep in lists', [[{ secret: 'x' }]], [[{ secret: '[hidden]' }]]],
    [
      'JSON in a text',
      { text: '{"apiKey": "a\\"b", "name": "c"}' },
      { text: '{"apiKey": "[hidden]", "name": "c"}' },
    ],
    ['the start of JSON in a text', { text: '{"token":"abc' }, { text: '{"token":"[hidden]"' }],
    ['a line of an environment', { text: 'A=1 MY_API_KEY=abc B=2' }, { text: 'A=1 MY_API_KEY=[hidden] B=2' }],
    ['a scheme', { text: 'sent Bearer abcdefgh12345678' }, { text: 'sent Bearer [hidden]' }],
    [
      'an address',
      { url: 'https://a.test/?code=1&x=2&access_token=3#t' },
      { url: 'https://a.test/?code=[hidden]&x=2&access_token=[hidden]#t' },
    ],
    [
      'a password before a host',
      { url: 'postgres://ada:pw1@db:5/x' },
      { url: 'postgres://ada:[hidden]@db:5/x' },
    ],
    ['a signed token', { text: `is eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln` }, { text: 'is [hidden]' }],
    ['a key of a provider', { text: `use ghp_${'a1'.repeat(18)}.` }, { text: 'use [hidden].' }],
    [
      'a private key',
      { text: '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----' },
      { text: '[hidden]' },
    ],
  ])('loses %s', (_what, message, shown) => expect(hideJson(message)).toEqual(shown));

  it.each<[string, unknown]>([
    ['a token that is none', { _meta: { progressToken: 3 }, nextPageToken: 'p' }],
    ['that there is a secret', { hasPassword: true, password: null, token: '' }],
    ['a count', { maxTokens: 5, usage: { tokens: 7 } }],
    ['the code of an error', { error: { code: -32601, message: 'Basic understanding' } }],
    [
      'the description of a secret',
      {
        inputSchema: {
          properties: { password: { type: 'string', description: 'yours' } },
          required: ['password'],
        },
      },
    ],
  ])('keeps %s', (_what, message) => expect(hideJson(message)).toEqual(message));

  it('loses what the description of a secret gives as its value', () => {
    const message = { requestedSchema: { properties: { token: { type: 'string', default: 'abc' } } } };
    expect(hideJson(message)).toEqual({
      requestedSchema: { properties: { token: { type: 'string', default: '[hidden]' } } },
    });
  });

  it('is the very text that was on the wire when there is nothing to hide', () => {
    const text = '{ "id":12345678901234567890, "a": "\\u0041" }';
    expect(hide(text)).toBe(text);
  });

  it('loses a secret also where a member is there twice', () => {
    expect(hide('{"a":"line q8-own","a":1}')).not.toContain('q8-own');
  });

  it('that was cut loses what it still holds, and is closed', () => {
    const cut = '{"result":{"list":[{"name":"a","password":"hun';
    expect(JSON.parse(hide(cut, true))).toEqual({ result: { list: [{ name: 'a', password: '[hidden]' }] } });
  });

  it('nested without end is neither shown nor the end of us', () => {
    const deep = (levels: number) => `${'['.repeat(levels)}"q8-own"${']'.repeat(levels)}`;
    for (const levels of [200, 200_000]) {
      for (const isCut of [false, true]) expect(hide(deep(levels), isCut)).not.toContain('q8-own');
    }
  });

  it('that is no JSON is searched as a text', () => {
    expect(hide('<p>Bearer abcdefgh12345678, q8-own</p>')).toBe('<p>Bearer [hidden], [hidden]</p>');
  });

  it('never shows a secret, wherever a server puts it', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, at) => {
        const text = json.replace(/"[^"\\]*"/g, (found, offset) =>
          offset % 3 === at % 3 ? '"xq8-ownx"' : found,
        );
        expect(hide(text)).not.toContain('q8-own');
      }),
    );
  });
});
