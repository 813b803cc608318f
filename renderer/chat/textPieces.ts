/** In UTF-16 units. */
const LONGEST = 8000;
/** About so many characters stand in a line. */
const WIDTH = 90;

/** A long text in pieces that stand below each other, cut behind the ends of lines where there are any. */
export function textPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length || start === 0; ) {
    const end = endOf(text, start);
    pieces.push(text.slice(start, end));
    if (end === text.length) break;
    start = end;
  }
  return pieces;
}

/** How many lines a piece takes, about. */
export function linesIn(piece: string): number {
  return piece.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / WIDTH)), 0);
}

function endOf(text: string, start: number): number {
  const end = start + LONGEST;
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf('\n', end - 1);
  if (line >= start) return line + 1;
  // Never through the middle of a character that takes two units.
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
