import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitBlocks } from './markdownBlocks.ts';

describe('markdown blocks', () => {
  it('cuts at blank lines', () => {
    expect(splitBlocks('# a\n\nb\nc\n\n\nd')).toEqual(['# a', 'b\nc', 'd']);
  });

  it('keeps fences whole, also an open one and one with longer marks', () => {
    expect(splitBlocks('a\n\n```js\nx\n\ny\n```\n\nb')).toEqual(['a', '```js\nx\n\ny\n```', 'b']);
    expect(splitBlocks('```\nx\n\ny')).toEqual(['```\nx\n\ny']);
    expect(splitBlocks('````\n```\n\n```\n````\n\nb')).toEqual(['````\n```\n\n```\n````', 'b']);
  });

  it('keeps loose lists and what is indented below them whole', () => {
    expect(splitBlocks('1. a\n\n   more\n\n2. b\n\ntext')).toEqual(['1. a\n\n   more\n\n2. b', 'text']);
  });

  it('gives link definitions to every block', () => {
    expect(splitBlocks('see [x][1]\n\nb\n\n[1]: https://example.org')).toEqual([
      'see [x][1]\n\n[1]: https://example.org',
      'b\n\n[1]: https://example.org',
    ]);
  });

  it('never changes a finished block while text is added after it', () => {
    const line = fc.constantFrom(
      '',
      'text',
      '- item',
      '1. one',
      '```',
      '~~~',
      '  indented',
      '# head',
      '| a |',
      '$$',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { maxLength: 10 }), (before, after) => {
        const early = splitBlocks(before.join('\n'));
        const late = splitBlocks([...before, ...after].join('\n'));
        // Only the last block may still grow.
        expect(late.slice(0, Math.max(0, early.length - 1))).toEqual(early.slice(0, -1));
      }),
    );
  });

  it('loses no line that is not blank', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('', 'a', '- b', '```', '  c'), { maxLength: 40 }), lines => {
        const words = (text: string) => text.split('\n').filter(part => part.trim() !== '');
        expect(splitBlocks(lines.join('\n')).flatMap(words)).toEqual(words(lines.join('\n')));
      }),
    );
  });
});
