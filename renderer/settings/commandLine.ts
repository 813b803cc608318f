/** The words of a command line, or why it has none. */
export type SplitResult = { words: string[] } | { error: string };

/**
 * Splits a line as a shell would: blanks part words, quotes hold them together, a backslash takes the next character
 * as it is (inside double quotes only before `"` and `\`, so that Windows paths survive there). Nothing is expanded:
 * variables, wildcards and pipes stay plain text, since no shell will see them.
 */
export function splitCommandLine(line: string): SplitResult {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    const next = line.charAt(at + 1);
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (character === '\\' && quote === '"' && (next === '"' || next === '\\'))
        word += line.charAt(++at);
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\') {
      if (next === '') return { error: 'The line ends with a backslash that has nothing after it.' };
      at++;
      // A backslash at the end of a line continues it.
      if (next !== '\n') word = (word ?? '') + next;
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== undefined) return { error: `A ${quote} is opened but not closed.` };
  if (word !== undefined) words.push(word);
  return { words };
}

/** A word as it would have to be written on a command line: quoted when it holds more than plain characters. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
