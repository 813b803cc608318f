import { isPlainWords, readFormula } from './mathSyntax.ts';

/**
 * How far a formula reaches that stands on lines of its own and begins at one: to its mark (`complete`), or to the end of
 * what has been written so far (`open`). `none`: the line only begins like one. Undefined where it does not even that.
 *
 * It may span blank lines. One that holds a heading or a fence, or has more lines than a formula has, is none: a mark
 * that was left open must not take the rest of an answer with it.
 */
export function mathBlockAt(lines: readonly string[], start: number): MathBlock | undefined {
  const [, mark, rest = ''] = OPENS.exec(lines[start] ?? '') ?? [];
  if (mark === undefined) return undefined;
  const none: MathBlock = { last: start, state: 'none' };
  const closes = mark === '$$' ? CLOSES_DOLLARS : CLOSES_BRACKET;
  if (rest !== '' && !rest.startsWith('\\begin{') && !closes.test(rest)) return none;
  for (let at = start; at < lines.length; at++) {
    const line = at === start ? rest : (lines[at] ?? '');
    const after = closes.exec(line)?.[1];
    if (after !== undefined) return /^\s*[.,;:]?\s*$/.test(after) ? { last: at, state: 'complete' } : none;
    if (at - start > MAX_LINES || ENDS_ALL.test(line)) return none;
  }
  return { last: lines.length - 1, state: 'open' };
}

/** The formula that a block is, with its marks, complete or not; undefined for every other block. */
export function mathIn(block: string): { source: string; complete: boolean } | undefined {
  const lines = block.split('\n');
  const found = mathBlockAt(lines, 0);
  if (!found || found.state === 'none' || found.last !== lines.length - 1) return undefined;
  if (found.state === 'open') return { source: block, complete: false };
  // What ends the sentence stands in the formula's line, not below it.
  const source = block.trim().replace(/(\$\$|\\\])\s*([.,;:])$/, '$2$1');
  const { tex } = readFormula(source);
  return tex.trim() === '' || (lines.length === 1 && isPlainWords(tex))
    ? undefined
    : { source, complete: true };
}

export interface MathBlock {
  /** The number of its last line. */
  last: number;
  state: 'complete' | 'open' | 'none';
}

const MAX_LINES = 100;
const OPENS = /^ {0,3}(\$\$(?!\$)|\\\[)\s*(.*)$/;
/** The mark, and what follows it on its line. */
const CLOSES_DOLLARS = /\$\$(.*)$/;
const CLOSES_BRACKET = /(?<!\\)\\\](.*)$/;
const ENDS_ALL = /^ {0,3}(#{1,6} |`{3}|~{3}|\\\[\s*$)/;
