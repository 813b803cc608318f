import { describe, expect, it } from 'vitest';
import type { ModelContent } from './result.ts';
import { cutContent, MOST_OF_A_RESULT, passageOf, placesOf, resultLimit, wholeText } from './resultCut.ts';

const text = (words: string): ModelContent => ({ type: 'text', text: words });

describe('a long result', () => {
  it('keeps its beginning and its end, and says what is left out and how to read it', () => {
    const whole = Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\n');
    const picture: ModelContent = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' };
    const [cut, kept] = cutContent(
      [text(whole.slice(0, 2000)), picture, text(whole.slice(2001))],
      900,
      'Read on.',
    );
    expect(kept).toBe(picture);
    const [head, note, tail] = cut?.type === 'text' ? cut.text.split('\n\n') : [];
    expect(head?.startsWith('line 0\n')).toBe(true);
    expect(tail?.endsWith('line 499')).toBe(true);
    expect((head?.length ?? 0) + (tail?.length ?? 0)).toBeLessThanOrEqual(900);
    const [, left, all, from, to] =
      /^\((\d+) of the (\d+) .* from (\d+) to (\d+)\. Read on\.\)$/.exec(note ?? '')?.map(Number) ?? [];
    expect(all).toBe(whole.length);
    expect(left).toBe((to ?? 0) - (from ?? 0));
    // Nothing is lost in between.
    expect(`${head}${passageOf(whole, from ?? 0, left ?? 0)}${tail}`).toBe(whole);
  });

  it('is never cut within a character', () => {
    for (let limit = 3; limit < 12; limit++) {
      const [cut] = cutContent([text('😀'.repeat(10))], limit, '');
      expect(cut?.type === 'text' && cut.text.isWellFormed()).toBe(true);
    }
    expect(passageOf('a😀b', 0, 2)).toBe('a');
  });

  it('is left as it is when it is short enough, in all its parts', () => {
    const content = [text('one'), text('two')];
    expect(cutContent(content, wholeText(content).length, '')).toBe(content);
  });

  it('takes no more than its share of what the model can read', () => {
    expect([8000, 200_000, 1_000_000].map(resultLimit)).toEqual([4000, 30_000, MOST_OF_A_RESULT]);
  });
});

it('words are found in any case, as they are and not as a pattern, from a place on', () => {
  const all = 'A price (3.50) and a PRICE (3x50)';
  const options = { most: 1, around: 3, from: 0 };
  expect(placesOf(all, 'price', options)).toEqual({
    count: 2,
    places: [{ offset: 2, excerpt: 'A price (3' }],
  });
  expect(placesOf(all, '(3.50)', options).count).toBe(1);
  expect(placesOf(all, 'price', { ...options, from: 3 }).places[0]?.offset).toBe(21);
});
