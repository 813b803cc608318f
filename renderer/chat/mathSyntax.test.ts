import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { describe, expect, it } from 'vitest';
import { readFormula, remarkMath } from './mathSyntax.ts';

const formulasIn = (markdown: string): string[] => {
  const found: string[] = [];
  const span = ({ children }: { children?: unknown }) => {
    found.push(String(children));
    return null;
  };
  const remarkPlugins = [remarkGfm, remarkMath];
  renderToStaticMarkup(createElement(ReactMarkdown, { remarkPlugins, components: { span } }, markdown));
  return found;
};

describe('formulas in a line', () => {
  it.each([
    ['the sum $x_1 + x_2$ of', ['$x_1 + x_2$']],
    ['$x$ and $f(x)$, also ($n$).', ['$x$', '$f(x)$', '$n$']],
    ['so \\(a < b\\) holds', ['\\(a < b\\)']],
    ['so \\[a = b\\] holds', ['\\[a = b\\]']],
    ['so $$a = b$$ holds', ['$$a = b$$']],
    ['$\\text{if } x \\text{ is odd}$', ['$\\text{if } x \\text{ is odd}$']],
    ['$a \\$ b$', ['$a \\$ b$']],
    ['\\(a \\\\ (b)\\)', ['\\(a \\\\ (b)\\)']],
    [
      '\\[\\begin{matrix} a \\\\[2pt] b \\end{matrix}\\]',
      ['\\[\\begin{matrix} a \\\\[2pt] b \\end{matrix}\\]'],
    ],
    ['$100$ and $3\\%$', ['$100$', '$3\\%$']],
    ['| a |\n| - |\n| $x$ |', ['$x$']],
    ['**bold $a*b*c$**', ['$a*b*c$']],
  ])('are found in %j', (markdown, formulas) => {
    expect(formulasIn(markdown)).toEqual(formulas);
  });

  it.each([
    'It costs $5 and $10.',
    'between $5-$10, or $5–$10',
    '$5/month and 7$ more',
    'US$5 or CA$7 or 5$',
    '$20 (or $15 for members)',
    'echo $HOME/$USER and $PATH:$HOME',
    'a template `${a}` or ${a}/${b} or ${a}${b}',
    '`$x$` and\n\n    $x$\n\nand\n\n```\n$x$ \\(y\\)\n```',
    '\\$x\\$',
    'the source \\[1\\], \\[sic\\], \\[see the notes\\]',
    'f\\(\\) and $$ and $$$$',
    '$a\nb$',
    'half $x_1 + and \\(a and $$b and \\[c',
    '\\\\(a\\\\)',
  ])('are not found in %j', markdown => {
    expect(formulasIn(markdown)).toEqual([]);
  });

  it('reach over the lines of a paragraph, also in lists and quotes, and keep all of Markdown out', () => {
    const formula = '\\[\n\\begin{aligned}\na_1 &= *b* \\\\\n[c](d) &= `e`\n\\end{aligned}\n\\]';
    const inside = (prefix: string) => formula.replaceAll('\n', `\n${prefix}`);
    expect(formulasIn(`so\n${formula}\nholds`)).toEqual([formula]);
    expect(formulasIn(`1. so\n   ${inside('   ')}`).map(text => text.replaceAll('\n   ', '\n'))).toEqual([
      formula,
    ]);
    expect(formulasIn(`> so\n> ${inside('> ')}`)).toEqual([formula]);
  });

  it('leave the text around them as it is, whatever is written', () => {
    const piece = fc.constantFrom(
      '$',
      '$$',
      '\\(',
      '\\)',
      '\\[',
      '\\]',
      '\\',
      'x',
      '5',
      ' ',
      '\n',
      '*',
      '`',
      '|',
      '- ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
        const markdown = pieces.join('');
        for (const source of formulasIn(markdown)) {
          const { tex, display } = readFormula(source);
          expect(tex.trim()).not.toBe('');
          expect(display).toBe(source.startsWith('$$') || source.startsWith('\\['));
        }
      }),
    );
  });

  it('are looked for in a time that grows with the text', () => {
    // Any other would not end within the time that a test has.
    for (const mark of ['$', '$$', '\\(', '\\[', '$x', '\\(x ']) formulasIn(mark.repeat(10_000));
  });
});
