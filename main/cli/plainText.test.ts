import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exact, oneLine, printable, printableJson } from './plainText.ts';

const esc = '\u001b';
/** Everything that a terminal may obey; what else may be in a text is only shown. */
const obeyed = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

describe('text of others in a terminal', () => {
  it('cannot colour, clear, retitle, link or ring', () => {
    const evil = `${esc}[2J${esc}]0;title\u0007${esc}]8;;https://evil.test${esc}\\link\u009b31m`;
    expect(printable(evil)).toBe(
      '[U+001B][2J[U+001B]]0;title[U+0007][U+001B]]8;;https://evil.test[U+001B]\\link[U+009B]31m',
    );
  });

  it('cannot overwrite its own line', () => {
    expect(printable('rm -rf /\rls        ')).toBe('rm -rf /\nls        ');
    expect(printable('a\r\nb\tc')).toBe('a\nb\tc');
    expect(printable('a\u0008b')).toBe('a[U+0008]b');
  });

  it('cannot reorder what is read', () => {
    expect(printable('safe\u202egnp.exe')).toBe('safe[U+202E]gnp.exe');
  });

  it('keeps joined emoji in prose, and shows every hidden character where one decides', () => {
    expect(printable('👩‍👧 نمی\u200cخواهم')).toBe('👩‍👧 نمی\u200cخواهم');
    expect(exact('delete\u200b\u{e0041}')).toBe('delete[U+200B][U+E0041]');
  });

  it('is one line where one line is meant', () => {
    expect(oneLine(' a\n\n b\u2028c ')).toBe('a b[U+2028]c');
    expect(oneLine('abcdef', 4)).toBe('abc…');
  });

  it('holds nothing to obey, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(printable(text)).not.toMatch(obeyed);
        expect(exact(text)).not.toMatch(obeyed);
      }),
    );
  });

  it('stays the same value as JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const json = printableJson({ [text]: text });
        expect(json).not.toMatch(obeyed);
        expect(JSON.parse(json)).toEqual({ [text]: text });
      }),
    );
  });
});
