import { describe, expect, it } from 'vitest';
import { revealHidden, revealHiddenText } from './hiddenCharacters.ts';

describe('hidden characters', () => {
  it('leave ordinary text alone, in any script', () => {
    for (const text of ['', 'plain', 'two\nlines\tand a tab\r\n', 'שלום עולם', '日本語', 'é 🙂'])
      expect(revealHidden(text)).toEqual([{ text }]);
  });

  it.each([
    ['a\u202etxt.exe', 'a[U+202E]txt.exe'],
    ['pay\u200bpal', 'pay[U+200B]pal'],
    ['\u{e0041}\u{e0042}', '[U+E0041][U+E0042]'],
    ['\u001b[2Jgone', '[U+001B][2Jgone'],
    ['\ufeffbom', '[U+FEFF]bom'],
  ])('%j is shown as %s', (text, shown) => {
    expect(revealHiddenText(text)).toBe(shown);
  });

  it('are parts of their own', () => {
    expect(revealHidden('a\u202eb')).toEqual([{ text: 'a' }, { hidden: 'U+202E' }, { text: 'b' }]);
  });
});
