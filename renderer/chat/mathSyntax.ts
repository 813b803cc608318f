import type { Code, Construct, Effects, Extension, State, Token } from 'micromark-util-types';

/**
 * Formulas in a line: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. Within one nothing else of Markdown holds, as within code.
 * What is more likely a price, a variable of a shell or an escaped bracket stays text.
 */
export function remarkMath(this: { data(): object }): void {
  const data = this.data() as { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] };
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), syntax];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), { enter, exit }];
}

/** The TeX of a formula, and whether it stands on its own, from its source with the marks. */
export function readFormula(source: string): { tex: string; display: boolean } {
  const size = /^\$(?!\$)/.test(source) ? 1 : 2;
  return { tex: source.slice(size, -size), display: /^(\$\$|\\\[)/.test(source) };
}

interface Marks {
  open: string;
  close: string;
  /** In characters, marks included. */
  longest: number;
  mayFollow?(before: Code): boolean;
  isFormula(content: string, after: string): boolean;
}

const LONGEST = 5000;
const marks: Marks[] = [
  {
    open: '$$',
    close: '$$',
    longest: LONGEST,
    isFormula: (content, after) => after !== '$' && !isPlainWords(content),
  },
  {
    open: '$',
    close: '$',
    longest: 500,
    mayFollow: before => !/[\p{L}\p{N}$]/u.test(characterOf(before)),
    isFormula: isInlineFormula,
  },
  { open: '\\(', close: '\\)', longest: LONGEST, isFormula: content => content.trim() !== '' },
  { open: '\\[', close: '\\]', longest: LONGEST, isFormula: content => !isPlainWords(content) },
];

/** `$5 and $10`, `$HOME/$USER` and `${a}/${b}` are none. */
function isInlineFormula(content: string, after: string): boolean {
  if (/^$|^\s|\s$|[`\n]/.test(content) || /[\p{L}\p{N}({]/u.test(after)) return false;
  return (
    content.includes('\\') ||
    !(/\p{L}{2,}\s+\p{L}{2,}/u.test(content) || /^\d[\d.,]*\s+\p{L}{2,}/u.test(content))
  );
}

/** Words or a number: `\[…\]` are brackets then, which Markdown wants escaped, and `$$` tells how dear something is. */
export function isPlainWords(content: string): boolean {
  return /^(\d*|[\p{L}\d\s.,'’]{2,})$/u.test(content.trim());
}

const syntax: Extension = {
  text: { 36: constructsOf('$'), 92: constructsOf('\\') },
};

function constructsOf(first: string): Construct[] {
  return marks.filter(({ open }) => open.startsWith(first)).map(construct);
}

function construct(marks: Marks): Construct {
  return {
    name: 'math',
    ...(marks.mayFollow ? { previous: marks.mayFollow } : {}),
    tokenize: (effects, ok, nok) => new Reader(marks, effects, ok, nok).begin,
  };
}

/** Reads one formula, a character at a time. */
class Reader {
  readonly #marks: Marks;
  readonly #effects: Effects;
  readonly #ok: State;
  readonly #nok: State;
  #text = '';

  constructor(marks: Marks, effects: Effects, ok: State, nok: State) {
    this.#marks = marks;
    this.#effects = effects;
    this.#ok = ok;
    this.#nok = nok;
  }

  readonly begin: State = code => {
    this.#effects.enter('math');
    this.#effects.enter('mathData');
    return this.#opening(code);
  };

  readonly #opening: State = code => {
    const { open } = this.#marks;
    if (code !== open.charCodeAt(this.#text.length)) return this.#nok(code);
    this.#take(code);
    return this.#text.length < open.length ? this.#opening : this.#inside;
  };

  readonly #inside: State = code => {
    const { open, close, longest, isFormula } = this.#marks;
    const inside = this.#text.slice(open.length);
    if (endsWith(inside, close)) {
      if (!isFormula(inside.slice(0, -close.length), characterOf(code))) return this.#nok(code);
      this.#effects.exit('mathData');
      this.#effects.exit('math');
      return this.#ok(code);
    }
    // Nothing is nested: a second beginning shows that the first was none, and nothing is searched through twice.
    const isNested = open !== close && endsWith(inside, open);
    if (code === null || isNested || this.#text.length >= longest) return this.#nok(code);
    this.#take(code);
    return this.#inside;
  };

  #take(code: Code): void {
    this.#text += characterOf(code);
    if (!isLineEnd(code)) {
      this.#effects.consume(code);
      return;
    }
    this.#effects.exit('mathData');
    this.#effects.enter('lineEnding');
    this.#effects.consume(code);
    this.#effects.exit('lineEnding');
    this.#effects.enter('mathData');
  }
}

/** Whether a text ends with a mark that no backslash takes its meaning. */
function endsWith(text: string, mark: string): boolean {
  if (!text.endsWith(mark)) return false;
  let at = text.length - mark.length;
  while (text[at - 1] === '\\') at--;
  return (text.length - mark.length - at) % 2 === 0;
}

function isLineEnd(code: Code): boolean {
  return code !== null && code <= -3 && code >= -5;
}

/** As text; nothing for the end, and for what a tab is widened by. */
function characterOf(code: Code): string {
  if (code === null || code === -1) return '';
  if (isLineEnd(code)) return '\n';
  return code === -2 ? '\t' : String.fromCharCode(code);
}

interface MathNode {
  type: 'math';
  data?: object;
}

/** Of the builder of the tree, what is needed here. */
interface Builder {
  stack: unknown[];
  enter(node: MathNode, token: Token): void;
  exit(token: Token): void;
  sliceSerialize(token: Token): string;
}

const enter = {
  math(this: Builder, token: Token) {
    this.enter({ type: 'math' }, token);
  },
};

const exit = {
  math(this: Builder, token: Token) {
    const node = this.stack.at(-1) as MathNode;
    const children = [{ type: 'text', value: this.sliceSerialize(token) }];
    node.data = { hName: 'span', hProperties: { dataMath: true }, hChildren: children };
    this.exit(token);
  },
};

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    math: 'math';
    mathData: 'mathData';
  }
}
