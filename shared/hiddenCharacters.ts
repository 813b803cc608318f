/**
 * Text from outside can hold characters that nobody sees but that change what is read: direction marks that reorder
 * it, spaces without width, tag letters that spell hidden instructions. Where a person decides by a text, they are
 * shown by their number.
 */

/** A stretch of text as it is, or one hidden character by its code, such as `U+202E`. */
export type TextPart = { text: string } | { hidden: string };

/** The parts of a text in order; one part when nothing is hidden. */
export function revealHidden(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ hidden: codeOf(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from) });
  return parts;
}

/** The same for a terminal or a label: hidden characters as `[U+202E]`. */
export function revealHiddenText(text: string): string {
  return text.replace(hidden, character => `[${codeOf(character)}]`);
}

/** The same without them. */
export function withoutHidden(text: string): string {
  return text.replace(hidden, '');
}

/**
 * Controls but tab and line ends, format characters (direction, joiners, zero width, tags), separators of lines and
 * paragraphs, fillers and variation selectors that no emoji needs.
 */
const hidden = /(?![\t\r\n])(?:[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]|[\u{e0100}-\u{e01ef}])/gu;

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
