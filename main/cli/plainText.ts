/**
 * What servers and models write ends in a terminal, which obeys control characters: they could move the cursor over
 * a question, retitle the window or reorder what a person reads. Nothing of others is printed without these.
 */
import { revealHiddenText } from '../../shared/hiddenCharacters.ts';

/** Prose of others: controls and direction marks are shown by their number; line ends and tabs stay. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(obeyed, character => `[U+${hex(character)}]`);
}

/** What a person decides by: every hidden character is shown by its number. */
export function exact(text: string): string {
  return revealHiddenText(text.replace(/\r\n?/g, '\n'));
}

/** `exact`, on one line and no longer than `limit`. */
export function oneLine(text: string, limit = 200): string {
  const line = exact(text).replace(/\s+/g, ' ').trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}

/** Further lines of a text below its first. */
export function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

/** JSON in which everything that a terminal could obey is escaped; it parses to the same value. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(obeyed, character => `\\u${hex(character)}`);
}

/** Controls but tab and line feed, and the marks that reorder a line or end it. */
const obeyed = /(?![\t\n])(?:\p{Cc}|[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff])/gu;

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
