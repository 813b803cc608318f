import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from './lines.ts';

describe('lines of a byte stream', () => {
  it('are the same wherever the reads happen to stop', () => {
    const line = fc.string({ unit: 'binary', maxLength: 12 }).map(text => text.replace(/[\r\n]/g, ''));
    fc.assert(
      fc.property(
        fc.array(line),
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.nat(200)),
        (lines, eol, cuts) => {
          const bytes = Buffer.from(lines.map(text => text + eol).join(''));
          const at = [0, ...cuts.filter(cut => cut < bytes.length).sort((a, b) => a - b), bytes.length];
          const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
          // A string of half a character is not what went over the wire; a mark at the very beginning is dropped.
          const expected = lines
            .map(text => Buffer.from(text).toString())
            .map((text, index) => (index === 0 ? text.replace(/^\uFEFF/, '') : text));
          expect(split(chunks)).toEqual(expected);
        },
      ),
    );
  });

  it('end at LF only: U+2028 and a lone CR are text', () => {
    expect(split([Buffer.from('a\u2028b\rc\n')])).toEqual(['a\u2028b\rc']);
  });

  it('count also without an end when the stream ends', () => {
    expect(split([Buffer.from('one\ntwo')])).toEqual(['one', 'two']);
  });

  it('that are too long are cut and said to be, and the next one is whole again', () => {
    const lines: [string, boolean][] = [];
    const splitter = new LineSplitter((text, isCut) => lines.push([text, isCut]), 4);
    for (const chunk of ['abcd\nabc', 'def', 'ghi\nok\n']) splitter.push(Buffer.from(chunk));
    expect(lines).toEqual([
      ['abcd', false],
      ['abcd', true],
      ['ok', false],
    ]);
  });
});

function split(chunks: Buffer[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter(line => lines.push(line), 1 << 20);
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}
