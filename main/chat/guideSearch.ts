import type { ToolInfo } from '../../shared/tools.ts';
import { isFiller, likeness, wordsOf } from './guideWords.ts';

/** The tools that fit a text, best first; more than one only when they fit equally well. */
export function findTools(text: string, tools: readonly ToolInfo[]): ToolInfo[] {
  const words = [...new Set([...wordsOf(text), ...signs(text)])];
  const asked = words.filter(word => !isFiller(word) && !/^\p{N}+$/u.test(word));
  const candidates = tools.map(fieldsOf);
  const rarity = new Map(asked.map(word => [word, rarityOf(word, candidates)]));
  const scored = candidates
    .map(fields => ({ fields, score: scoreOf(fields, words, asked, rarity, text) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const best = scored[0]?.score ?? 0;
  return scored.filter(({ score }) => score > best - TIE).map(({ fields }) => fields.tool);
}

/** Scores closer than this are a tie: the difference is then one of descriptions, not of meaning. */
const TIE = 0.5;

interface Fields {
  tool: ToolInfo;
  name: string[];
  title: string[];
  description: string[];
}

function fieldsOf(tool: ToolInfo): Fields {
  return {
    tool,
    name: wordsOf(tool.name),
    title: wordsOf(tool.title ?? ''),
    // A long manual must not win by its length.
    description: [...new Set(wordsOf((tool.description ?? '').slice(0, 400)))],
  };
}

/** A word that few tools have says more. */
function rarityOf(word: string, candidates: readonly Fields[]): number {
  const having = candidates.filter(({ name, title, description }) =>
    [...name, ...title, ...description].includes(word),
  ).length;
  return Math.log2(1 + (candidates.length + 1) / (having + 1));
}

function scoreOf(
  { tool, name, title, description }: Fields,
  words: readonly string[],
  asked: readonly string[],
  rarity: ReadonlyMap<string, number>,
  text: string,
): number {
  let score = 0;
  let named = 0;
  let described = 0;
  for (const word of asked) {
    const inName = best(word, name);
    const inTitle = best(word, title);
    const inDescription = description.includes(word) ? 1 : 0;
    if (inName > 0 || inTitle > 0) named++;
    described += inDescription;
    score += Math.max(inName * 6, inTitle * 4, inDescription * 1.5) * (rarity.get(word) ?? 1);
  }
  // One chance word of a description means nothing.
  if (named === 0 && described < 2) return isNamed(tool, text) ? 20 : 0;
  const covered = name.filter(word => best(word, words) > 0).length / Math.max(1, name.length);
  return score + covered * 4 + (isNamed(tool, text) ? 10 : 0);
}

/** Whether the text has the tool's name as it is, on its own. */
function isNamed(tool: ToolInfo, text: string): boolean {
  const words = text.toLowerCase().split(/[\s,;:"'“”()]+/);
  return words.includes(tool.name.toLowerCase());
}

function best(word: string, field: readonly string[]): number {
  return Math.max(0, ...field.map(other => likeness(word, other)));
}

/** `19 + 23` has no word for what is meant. */
function signs(text: string): string[] {
  return /\d\s*\+\s*\d/.test(text) ? ['add'] : [];
}
