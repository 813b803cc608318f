import type { ToolInfo } from '../../shared/tools.ts';
import type { Token } from './guideTokens.ts';
import { isFiller, likeness, wordsOf } from './guideWords.ts';

/**
 * What a person typed without the words that only name the tool: `please echo hello there` -> `hello there`.
 * Undefined when nothing is left.
 */
export function restOf(text: string, tool: ToolInfo, tokens: readonly Token[]): string | undefined {
  const naming = [...wordsOf(tool.name), ...wordsOf(tool.title ?? '')];
  const names = (token: Token) =>
    token.kind === 'word' &&
    wordsOf(token.value).every(word => naming.some(other => likeness(word, other) > 0));
  const fills = (token: Token) => token.kind === 'word' && wordsOf(token.value).every(isFiller);

  let from = 0;
  let named = false;
  for (const [at, token] of tokens.entries()) {
    // Once the tool is named, a filler is skipped only on the way to more of its name: `time is it in …`.
    const onTheWay = tokens.slice(at + 1, at + 4).some(names);
    if (!token.used && !names(token) && !(fills(token) && (!named || onTheWay))) break;
    named ||= names(token);
    from = token.end;
  }
  if (!named) from = 0;
  const rest = withoutUsed(text, from, tokens)
    .replace(/^[\s:,;=-]+/, '')
    .trim();
  return idle.test(rest) ? undefined : rest;
}

/** What is left of `what time is it now?`: nothing that an argument could be. */
const idle = /^(is|it|now|please|[\p{P}\s])*$/iu;

function withoutUsed(text: string, from: number, tokens: readonly Token[]): string {
  let rest = '';
  let at = from;
  for (const token of tokens) {
    if (!token.used || token.start < from) continue;
    rest += text.slice(at, token.start);
    at = token.end;
  }
  return rest + text.slice(at);
}
