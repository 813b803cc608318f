import { describe, expect, it } from 'vitest';
import type { BranchPart, Message } from '../../shared/chat.ts';
import { latest, MOST, parted, withEarlier, withLater } from './keptPart.ts';

const message = (nth: number): Message => ({
  id: `${nth}`,
  ...(nth === 0 ? {} : { parentId: `${nth - 1}` }),
  conversationId: 'c',
  role: 'user',
  blocks: [],
  createdAt: nth,
  status: 'complete',
});
/** Of a branch of 1000. */
const part = (start: number, end: number): BranchPart => ({
  messages: Array.from({ length: end - start }, (_, at) => message(start + at)),
  hasEarlier: start > 0,
  hasLater: end < 1000,
});
const range = ({ messages, hasEarlier, hasLater }: BranchPart) => [
  Number(messages[0]?.id),
  Number(messages.at(-1)?.id) + 1,
  hasEarlier,
  hasLater,
];

describe('the part of a branch that is kept', () => {
  it('slides through all of it and never grows beyond its bound', () => {
    let kept = part(940, 1000);
    for (let start = 880; start >= 0; start -= 60) {
      kept = withEarlier(kept, part(Math.max(0, start), start + 60));
      expect(kept.messages.length).toBeLessThanOrEqual(MOST);
      expect(range(kept)[0]).toBe(start);
    }
    kept = withEarlier(kept, part(0, 40));
    expect(range(kept)).toEqual([0, MOST, false, true]);
    for (let end = MOST; end < 1000; end += 60) kept = withLater(kept, part(end, Math.min(1000, end + 60)));
    expect(range(kept)).toEqual([1000 - MOST, 1000, true, false]);
  });

  it('lets the earliest go when its end has grown', () => {
    expect(latest(part(0, 200))).toEqual(part(0, 200));
    expect(range(latest(part(600, 1000)))).toEqual([700, 1000, true, false]);
  });

  it('takes another branch where it reaches the place where they part', () => {
    const rest = { messages: [{ ...message(5000), parentId: '49' }], hasLater: false };
    expect(parted(part(40, 60), '49', rest).messages.map(({ id }) => id)).toEqual(
      [...part(40, 50).messages, ...rest.messages].map(({ id }) => id),
    );
    // Its first message is another version now.
    expect(parted(part(50, 60), '49', rest)).toEqual({ ...rest, hasEarlier: true });
    expect(parted(part(0, 60), undefined, { messages: [], hasLater: false }).messages).toEqual([]);
    // It ends before that place: what is new is not in it.
    expect(parted(part(10, 20), '49', rest)).toEqual(part(10, 20));
    expect(parted({ ...part(10, 20), hasLater: false }, '49', rest).hasLater).toBe(true);
  });
});
