import { describe, expect, it } from 'vitest';
import { mentionAt } from './mention.ts';

describe('a word after an @', () => {
  it('is the one that the cursor is in, at the start or after a space', () => {
    expect(mentionAt('@', 1)).toEqual({ from: 0, query: '' });
    expect(mentionAt('look at\n@abo and more', 12)).toEqual({ from: 8, query: 'abo' });
  });

  it('is none in an address, or where the cursor has left it', () => {
    expect(mentionAt('me@example.org', 14)).toBeUndefined();
    expect(mentionAt('@about this', 11)).toBeUndefined();
  });
});
