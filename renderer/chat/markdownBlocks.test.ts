import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockSplitter, fencedCode, splitBlocks, splitTable } from './markdownBlocks.ts';

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

  it('makes a fence a block of its own, in a list only when it is not part of it', () => {
    expect(splitBlocks('a\n```\nx\n```\nb')).toEqual(['a', '```\nx\n```', 'b']);
    expect(splitBlocks('- a\n```\nx\n```')).toEqual(['- a', '```\nx\n```']);
    const inside = '- a\n  ```\n  x\n\n  y\n  ```\n- b';
    expect(splitBlocks(inside)).toEqual([inside]);
  });

  it('knows a fence behind the mark of an item, and one that ends with its item', () => {
    const after = '```\nx\n\ny\n```';
    const item = '- ```js\n  a\n  ```';
    expect(splitBlocks(`${item}\n\n${after}`)).toEqual([item, after]);
    expect(splitBlocks(`- \`\`\`js\n  a\n\nend\n\n${after}`).at(-1)).toEqual(after);
  });

  it('takes code within a line for no fence', () => {
    expect(splitBlocks('```a``` b\n\nc')).toEqual(['```a``` b', 'c']);
  });

  it('cuts a long list between its outermost items, but not one whose numbers would begin anew', () => {
    const items = (mark: (at: number) => string) =>
      Array.from({ length: 50 }, (_, at) => `${mark(at)} item\n   - inner`).join('\n');
    const numbered = splitBlocks(items(at => `${at + 1}.`));
    expect(numbered.map(block => block.split('\n')[0])).toEqual(['1. item', '21. item', '41. item']);
    expect(splitBlocks(items(() => '-'))).toHaveLength(3);
    expect(splitBlocks(items(() => '1.'))).toHaveLength(1);
  });

  it('gives link definitions to the blocks that use them', () => {
    expect(splitBlocks('see [x][A]\n\nb\n\n```\n[A]\n```\n\n[a]: https://example.org')).toEqual([
      'see [x][A]\n\n[a]: https://example.org',
      'b',
      '```\n[A]\n```',
    ]);
  });

  it('makes a formula on lines of its own a block, also across blank lines and half written', () => {
    expect(splitBlocks('so\n$$\na\n\n- b\n$$\nholds')).toEqual(['so', '$$\na\n\n- b\n$$', 'holds']);
    expect(splitBlocks('so\n\\[\na\n\nb')).toEqual(['so', '\\[\na\n\nb']);
    expect(splitBlocks('\\[\\begin{a}\n\nb\n\\end{a}\\]\nx')).toEqual([
      '\\[\\begin{a}\n\nb\n\\end{a}\\]',
      'x',
    ]);
    expect(splitBlocks('so\n$$a$$\nholds')).toEqual(['so', '$$a$$', 'holds']);
    const inside = '- so\n\n  $$\n  a\n  $$\n- b';
    expect(splitBlocks(inside)).toEqual([inside]);
  });

  it('lets no mark that was left open take what comes after it', () => {
    expect(splitBlocks('$$\na\n\n# b\n\nc')).toEqual(['$$\na', '# b', 'c']);
    expect(splitBlocks('\\[\na\n\n```\n\\]\n```')).toEqual(['\\[\na', '```\n\\]\n```']);
    expect(splitBlocks(`$$\n${'a\n\n'.repeat(80)}b\n$$`)).toHaveLength(82);
    expect(splitBlocks('$$a\n\nb')).toEqual(['$$a', 'b']);
  });

  it('numbers footnotes through the whole text and puts them at its end', () => {
    expect(splitBlocks('a[^one]\n\n[^one]: The *first*.\n[^B]: The second.\n\nb[^b] and [^c]')).toEqual([
      'a[^1]\n\n[^1]: The *first*.',
      'b[^2] and [^c]\n\n[^2]: The second.',
      '[^1][^2]\n\n[^1]: The *first*.\n[^2]: The second.',
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
      '$$ x',
      '\\[',
      'x \\]',
      '\\[x\\]',
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

describe('a fence', () => {
  it('holds exactly its text, finished or not', () => {
    expect(fencedCode('```js title=x\na\n\n  b\n```')).toEqual({
      code: 'a\n\n  b',
      language: 'js',
      complete: true,
    });
    expect(fencedCode('~~~~\n~~~\nb')).toEqual({
      code: '~~~\nb',
      language: undefined,
      complete: false,
    });
    expect(fencedCode('```')).toEqual({ code: '', language: undefined, complete: false });
  });

  it.each(['text', '```a``` b', '`a`', ''])('is not %j', block => {
    expect(fencedCode(block)).toBeUndefined();
  });
});

describe('a text that grows', () => {
  const lines = fc.constantFrom(
    ...[
      'text',
      '',
      '  ',
      '- item',
      '1. item',
      '2. item',
      '   more',
      '```js',
      '```',
      '~~~~',
      '  ```',
      '# head',
    ],
    ...['| a | b |', '| - | - |', '> quote', '[x]: /y', 'see [x]', '- ```', '    code', '\t- deep', '---'],
    ...['$$', '$$x$$', '\\[', 'x\\]', '$$x'],
  );

  it('has the same blocks at every step as when it is split as a whole', () => {
    fc.assert(
      fc.property(
        fc.array(lines, { maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 9 })),
        (all, steps) => {
          const text = all.join('\n');
          const splitter = new BlockSplitter();
          let end = 0;
          for (const step of [...steps, text.length]) {
            end += step;
            expect(splitter.split(text.slice(0, end))).toEqual(splitBlocks(text.slice(0, end)));
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is split anew when it is another one', () => {
    const splitter = new BlockSplitter();
    splitter.split('a\n\nb\n\nc');
    expect(splitter.split('a\n\nx')).toEqual(['a', 'x']);
  });
});

describe('a long table', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, at) => `| ${at} | b \\| c |`);
  const table = (...lines: string[]) => ['| x | y |', '| -: | --- |', ...lines].join('\n');

  it('comes in parts that each have the head, and loses no row', () => {
    const parts = splitTable(table(...rows(90))) ?? [];
    expect(parts.map(part => part.split('\n').length)).toEqual([42, 42, 12]);
    expect(parts.flatMap(part => part.split('\n').slice(2))).toEqual(rows(90));
    expect(parts.every(part => part.startsWith('| x | y |\n| -: | --- |\n'))).toBe(true);
  });

  it('stays whole when it is short, or not clearly a table all through', () => {
    expect(splitTable(table(...rows(40)))).toBeUndefined();
    expect(splitTable(table(...rows(60), 'text'))).toBeUndefined();
    expect(splitTable(['| x |', '| - | - |', ...rows(60)].join('\n'))).toBeUndefined();
    expect(splitTable(['| x | y |', ...rows(60)].join('\n'))).toBeUndefined();
  });
});
