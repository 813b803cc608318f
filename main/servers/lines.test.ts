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

  it('that are too long are cut, with their ends, however they come, and the next one is whole again', () => {
    const text = `abcd\n${'x'.repeat(400)}end of it\nok\r\n`;
    for (const step of [1, 7, 1000]) {
      const lines: [string, string | undefined][] = [];
      const splitter = new LineSplitter((line, cutTail) => lines.push([line, cutTail]), 4);
      for (let at = 0; at < text.length; at += step) splitter.push(Buffer.from(text.slice(at, at + step)));
      expect(lines).toEqual([
        ['abcd', undefined],
        ['xxxx', expect.stringMatching(/^x+end of it$/)],
        ['ok', undefined],
      ]);
    }
  });

  it('that never end are given up, and cost no more than a line may', () => {
    const lines: string[] = [];
    const splitter = new LineSplitter(line => lines.push(line), 1 << 20);
    const chunk = Buffer.alloc(1 << 16, 'x');
    const before = process.memoryUsage().arrayBuffers;
    for (let nth = 0; nth < 4000; nth++) splitter.push(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 << 20);
    splitter.end();
    expect(lines.map(line => line.length)).toEqual([1 << 16]);
  });
});

function split(chunks: Buffer[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter(line => lines.push(line), 1 << 20);
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}
