import { describe, expect, it } from 'vitest';
import { mathIn } from './mathBlocks.ts';

describe('a block that is one formula', () => {
  it.each([
    ['$$x$$', '$$x$$'],
    ['$$\nx\n\n+ y\n$$', '$$\nx\n\n+ y\n$$'],
    ['\\[\nx\n\\]', '\\[\nx\n\\]'],
    ['  \\[ x \\]', '\\[ x \\]'],
    [
      '\\[\n\\begin{matrix}\na \\\\[2pt]\nb\n\\end{matrix}\n\\]',
      '\\[\n\\begin{matrix}\na \\\\[2pt]\nb\n\\end{matrix}\n\\]',
    ],
    ['$$\nx\n$$.', '$$\nx\n.$$'],
  ])('is %j', (block, source) => {
    expect(mathIn(block)).toEqual({ source, complete: true });
  });

  it.each(['$$', '$$\nx', '\\[\nx\n\ny', '\\[\\begin{a}\nx'])('is begun by %j', block => {
    expect(mathIn(block)).toEqual({ source: block, complete: false });
  });

  it.each([
    'x',
    '$x$',
    '$$$$',
    '$$ and $$',
    '$$$ x',
    '$$x$$ holds',
    '$$\nx\n$$ holds',
    '\\[see the notes\\]',
    '\\[1\\]',
    '\\[x\\](y)',
    '\\\\[x\\\\]',
    '$$x\ny',
  ])('is not %j', block => {
    expect(mathIn(block)).toBeUndefined();
  });
});
