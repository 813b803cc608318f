import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linesIn, textPieces } from './textPieces.ts';

it('cuts a text into short pieces that together are the text, behind the ends of lines', () => {
  const anyText = fc
    .array(fc.oneof(fc.constant('\n'), fc.constant('word '.repeat(900)), fc.constant('😀'.repeat(3001))))
    .map(parts => parts.join(''));
  fc.assert(
    fc.property(anyText, text => {
      const pieces = textPieces(text);
      expect(pieces.join('')).toBe(text);
      for (const piece of pieces) {
        expect(piece.length).toBeLessThanOrEqual(8000);
        expect(piece.isWellFormed()).toBe(true);
      }
      const lines = textPieces(`${'x'.repeat(50)}\n`.repeat(1000));
      expect(lines.every(piece => piece.endsWith('\n'))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it('knows about how high a piece is', () => {
  expect(linesIn('one\ntwo')).toBe(2);
  expect(linesIn('x'.repeat(900))).toBe(10);
});
