/** How much of a result a model is given at once, and how it reads the rest. Offsets count characters of `wholeText`. */
import type { ModelContent } from './result.ts';

/** In characters; also for results of which nothing else was laid down when they came. */
export const MOST_OF_A_RESULT = 100_000;
const LEAST_OF_A_RESULT = 4000;

/** One result takes at most this share of what the model can read. */
const SHARE_OF_WINDOW = 0.05;
/** Rather too few than too many: prose has more characters in a token, data and code have fewer. */
const CHARACTERS_PER_TOKEN = 3;

/** The most characters of one result for a model that can read so many tokens. */
export function resultLimit(window: number): number {
  const share = Math.round(window * SHARE_OF_WINDOW * CHARACTERS_PER_TOKEN);
  return Math.min(MOST_OF_A_RESULT, Math.max(LEAST_OF_A_RESULT, share));
}

/** All words of a result as one text. */
export function wholeText(content: readonly ModelContent[]): string {
  return content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** The beginning and the end of what is longer than `limit`, with a word on what is between. Pictures stay. */
export function cutContent(content: ModelContent[], limit: number, readMore: string): ModelContent[] {
  const text = wholeText(content);
  if (text.length <= limit) return content;
  const { head, tail } = ends(text, limit);
  const from = head.length;
  const to = text.length - tail.length;
  const left = `(${to - from} of the ${text.length} characters of this result are left out here, those from ${from} to ${to}. ${readMore})`;
  const pictures = content.filter(part => part.type === 'image');
  return [{ type: 'text', text: [head, left, tail].filter(Boolean).join('\n\n') }, ...pictures];
}

/** `length` characters from `offset` on; never a part of a character. */
export function passageOf(text: string, offset: number, length: number): string {
  const end = Math.min(text.length, offset + length);
  return text.slice(offset, isInside(text, end) ? end - 1 : end);
}

export interface Place {
  offset: number;
  /** The found words with what stands around them. */
  excerpt: string;
}

/** Where the words are, whatever their case; `places` holds the first of them. */
export function placesOf(
  text: string,
  words: string,
  { most, around, from }: { most: number; around: number; from: number },
): { places: Place[]; count: number } {
  const places: Place[] = [];
  let count = 0;
  const pattern = new RegExp(words.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu');
  for (const { index, 0: found } of text.slice(from).matchAll(pattern)) {
    const offset = from + index;
    if (++count > most) continue;
    const start = Math.max(0, offset - around);
    const excerpt = passageOf(
      text,
      isInside(text, start) ? start + 1 : start,
      offset - start + found.length + around,
    );
    places.push({ offset, excerpt });
  }
  return { places, count };
}

function ends(text: string, limit: number): { head: string; tail: string } {
  const head = passageOf(text, 0, Math.ceil((limit * 2) / 3));
  let from = text.length - Math.floor(limit / 3);
  if (isInside(text, from)) from++;
  return { head: toLineEnd(head), tail: text.slice(from) };
}

/** Ends at a line's end where there is one near. */
function toLineEnd(head: string): string {
  const end = head.lastIndexOf('\n');
  return end > head.length * 0.9 ? head.slice(0, end) : head;
}

/** Whether the place is within a character that takes two units. */
function isInside(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(at - 1, at + 1));
}
