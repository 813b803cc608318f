import { blockOfNotes, isNote, numbered } from './footnotes.ts';
import { type MathBlock, mathBlockAt, mathIn } from './mathBlocks.ts';

/**
 * Cuts Markdown into blocks that stand for themselves, so that while a text grows only its last block is parsed again.
 * A fence is a block of its own, and so is a formula that does not stand in a line of text; a list stays whole up to a
 * length and is then cut between its items. A link definition is given to every block that uses it; footnotes
 * come last.
 */
export function splitBlocks(markdown: string): string[] {
  return new BlockSplitter().split(markdown);
}

/** Splits a text that grows: only the end of it is read again. */
export class BlockSplitter {
  #text = '';
  #blocks: Block[] = [];

  split(markdown: string): string[] {
    // Where a block ends is certain once the first line behind it is complete, which it is in all but the last.
    const kept = markdown.startsWith(this.#text) ? this.#blocks.slice(0, -2) : [];
    const from = this.#blocks[kept.length]?.start ?? 0;
    this.#blocks = [...kept, ...readBlocks(markdown, kept.length === 0 ? 0 : from)];
    this.#text = markdown;
    const definitions = this.#blocks.flatMap(block => block.definitions);
    if (definitions.length === 0) return this.#blocks.map(({ text }) => text);
    const notes = definitions.filter(({ label }) => isNote(label));
    const labels = notes.map(({ label }) => label);
    const blocks = this.#blocks
      .filter(({ text }) => !text.split('\n').every(readDefinition))
      .map(({ text }) => withDefinitions(text, definitions, labels));
    if (notes.length > 0)
      blocks.push(
        blockOfNotes(
          notes.map(({ line }) => line.trimStart()),
          labels,
        ),
      );
    return blocks;
  }
}

interface Block {
  text: string;
  /** Where it begins in the whole text. */
  start: number;
  definitions: Definition[];
}

/** The blocks from a place on where one begins. */
function readBlocks(markdown: string, from: number): Block[] {
  const blocks: Block[] = [];
  let block: string[] = [];
  let definitions: Definition[] = [];
  let start = from;
  let fence: { mark: string; alone: boolean } | undefined;
  let formula: MathBlock | undefined;
  const lines = markdown.slice(from).split('\n');
  let place = from;
  const add = (line: string) => {
    if (block.length === 0) start = place;
    block.push(line);
  };
  const finish = () => {
    if (!block.every(isBlank)) blocks.push({ text: block.join('\n'), start, definitions });
    block = [];
    definitions = [];
  };
  const read = (line: string, at: number) => {
    if (formula) {
      add(line);
      if (at < formula.last) return;
      finish();
      formula = undefined;
      return;
    }
    // A line in the first column ends a list item, and with it a fence inside.
    if (fence && !fence.alone && /^\S/.test(line)) fence = undefined;
    if (fence) {
      add(line);
      if (!closes(line, fence.mark)) return;
      if (fence.alone) finish();
      fence = undefined;
      return;
    }
    const mark = opens(line);
    if (mark) {
      // A fence in the first column belongs to no list; an indented one may.
      const alone = /^[`~]/.test(line) || (/^ +[`~]/.test(line) && !isList(block));
      if (alone) finish();
      fence = { mark, alone };
      add(line);
      return;
    }
    // What stands further in belongs to the item of a list.
    const math = isList(block) && /^\s/.test(line) ? undefined : mathBlockAt(lines, at);
    if (math) {
      finish();
      add(line);
      if (math.last > at) formula = math;
      else if (math.state === 'complete') finish();
      return;
    }
    const definition = readDefinition(line);
    const ends = isBlank(line) ? !(isList(block) && goesOn(lines, at)) : isNextPart(line, block);
    if (ends) finish();
    if (definition) definitions.push(definition);
    // No block begins with a blank line.
    if (block.length > 0 || !isBlank(line)) add(line);
  };
  lines.forEach((line, at) => {
    read(line, at);
    place += line.length + 1;
  });
  finish();
  return blocks;
}

/** What a block that is one fence holds, complete with its end or not; undefined for every other block. */
export function fencedCode(
  block: string,
): { code: string; language: string | undefined; complete: boolean } | undefined {
  const [first = '', ...lines] = block.split('\n');
  const mark = /^[`~]/.test(first) ? opens(first) : undefined;
  if (!mark) return undefined;
  const complete = closes(lines.at(-1) ?? '', mark);
  if (complete) lines.pop();
  const language = first.slice(mark.length).trim().split(/\s/)[0] || undefined;
  return { code: lines.join('\n'), language, complete };
}

/** The rows of a long table in parts, each with the table's head before it; undefined for every other block. */
export function splitTable(block: string): string[] | undefined {
  const [head = '', delimiters = '', ...rows] = block.split('\n');
  if (rows.length <= MAX_ROWS || !/^\|[ :|-]*-[ :|-]*$/.test(delimiters)) return undefined;
  if (cells(head) !== cells(delimiters) || ![head, ...rows].every(line => line.startsWith('|')))
    return undefined;
  const parts: string[] = [];
  for (let at = 0; at < rows.length; at += MAX_ROWS)
    parts.push([head, delimiters, ...rows.slice(at, at + MAX_ROWS)].join('\n'));
  return parts;
}

const MAX_LIST_LINES = 40;
const MAX_ROWS = 40;
const LIST_ITEM = /^\s*([-*+]|\d{1,9}[.)])\s/;

interface Definition {
  line: string;
  /** `[label]` in lower case, as it stands where it is used. */
  label: string;
}

function readDefinition(line: string): Definition | undefined {
  const label = /^ {0,3}(\[[^\]]+\]):\s*\S/.exec(line)?.[1];
  return label === undefined ? undefined : { line, label: label.toLowerCase() };
}

function withDefinitions(text: string, definitions: Definition[], notes: string[]): string {
  if (fencedCode(text) || mathIn(text)) return text;
  const searched = text.toLowerCase();
  const used = definitions.filter(({ label }) => searched.includes(label)).map(({ line }) => line);
  return used.length === 0 ? text : numbered(`${text}\n\n${used.join('\n')}`, notes);
}

/** The mark of a fence that begins here, also directly behind the mark of a list item. */
function opens(line: string): string | undefined {
  const [, mark, info = ''] = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)]) +)*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  return mark?.startsWith('`') && info.includes('`') ? undefined : mark;
}

function closes(line: string, mark: string): boolean {
  const bare = line.trim();
  return bare.length >= mark.length && bare === mark.charAt(0).repeat(bare.length);
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function isList(block: string[]): boolean {
  return LIST_ITEM.test(block[0] ?? '');
}

/** Whether what follows a blank line in a list still belongs to it. */
function goesOn(lines: string[], blank: number): boolean {
  let at = blank + 1;
  while (lines[at]?.trim() === '') at++;
  const next = lines[at];
  return next === undefined || LIST_ITEM.test(next) || /^\s{2,}/.test(next);
}

/** An outermost item where the list is long. One that repeats the first number could not go on with the counting. */
function isNextPart(line: string, block: string[]): boolean {
  if (block.length < MAX_LIST_LINES) return false;
  const [first, next] = [outermostItem(block[0] ?? ''), outermostItem(line)];
  if (!first || !next || first.mark !== next.mark) return false;
  return next.number === undefined || next.number !== first.number;
}

function outermostItem(line: string): { mark: string; number: string | undefined } | undefined {
  const [, number, mark] = /^(\d{1,9})?([-*+.)]) /.exec(line) ?? [];
  return mark === undefined ? undefined : { mark, number };
}

function cells(row: string): number {
  return row
    .trim()
    .replaceAll('\\|', '')
    .replace(/^\||\|$/g, '')
    .split('|').length;
}
