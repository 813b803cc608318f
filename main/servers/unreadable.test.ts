import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerInPlace, endsOf, parseBounded, Unreadable } from './unreadable.ts';

describe('JSON from a server', () => {
  it('is read as it is', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), text => {
        expect(parseBounded(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each<[string, string]>([
    ['nested too deep', `${'['.repeat(501)}${']'.repeat(501)}`],
    ['of a million small objects', `[${Array(1_000_001).fill('{}').join()}]`],
    ['that would only end far too deep', '{"a":'.repeat(100_000)],
  ])('%s is not', (_what, text) => {
    expect(() => parseBounded(text)).toThrow(Unreadable);
  });

  it('may have any number of brackets, commas and quotes in its texts', () => {
    const value = { text: `${'[{,'.repeat(400_000)}"\\` };
    expect(parseBounded(JSON.stringify(value))).toEqual(value);
  });
});

describe('in place of an answer that is not read', () => {
  const long = 'x'.repeat(1000);
  it.each<[string, string, unknown]>([
    ['its id first', `{"jsonrpc":"2.0","id":7,"result":{"content":["${long}`, 7],
    ['its id last', `{"result":{"content":["${long}"]},"jsonrpc":"2.0","id":"parley-3"}`, 'parley-3'],
    ['its id in the middle', `{"id" : 7 ,"jsonrpc": "2.0", "error": {"message":"${long}`, 7],
    ['an id that only a part of it has', `{"jsonrpc":"2.0","result":{"a":["${long}"],"id":7}}`, undefined],
    ['a method', `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"${long}"}}`, undefined],
  ])('stands an error, where it has %s', (_what, text, id) => {
    const answer = answerInPlace(endsOf(text), 'it is too long');
    expect(answer && 'id' in answer ? answer.id : undefined).toBe(id);
    if (id !== undefined)
      expect(answer).toMatchObject({ error: { message: expect.stringContaining('too long') } });
  });
});
