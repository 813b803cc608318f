import type { ToolInfo } from '../../shared/tools.ts';
import { isFiller, wordsOf } from './guideWords.ts';

/** How much a word says by where it stands. */
const WEIGHTS = { name: 3, title: 3, server: 2, description: 1, parameters: 0.5 } as const;
/** A long manual must not win by its length. */
const MOST_OF_A_DESCRIPTION = 1000;
/** `repo` is meant to find `repository`, but less surely than itself. */
const BEGINNING = 0.5;
const SHORTEST_BEGINNING = 3;
/** The usual constants of BM25: how soon more of the same word says nothing more, and how much length counts. */
const SATURATION = 1.2;
const LENGTH = 0.75;

/** The tools in which words of `query` occur, best first, scored by BM25 over all that is told of them. */
export function rankTools(query: string, tools: readonly ToolInfo[]): ToolInfo[] {
  const all = [...new Set(wordsOf(query))];
  const meant = all.filter(word => !isFiller(word));
  const asked = meant.length > 0 ? meant : all;
  const documents = tools.map(documentOf);
  const usualLength = documents.reduce((sum, { length }) => sum + length, 0) / (documents.length || 1);
  const scores = documents.map(() => 0);
  for (const word of asked) {
    const counts = documents.map(({ words }) => countOf(word, words));
    const having = counts.filter(count => count > 0).length;
    const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
    for (const [at, count] of counts.entries()) {
      const length = 1 - LENGTH + (LENGTH * (documents[at]?.length ?? 0)) / (usualLength || 1);
      scores[at] = (scores[at] ?? 0) + (rarity * count * (SATURATION + 1)) / (count + SATURATION * length);
    }
  }
  return tools
    .map((tool, at) => ({ tool, score: isNamed(tool, query) ? Number.POSITIVE_INFINITY : (scores[at] ?? 0) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => (a.score === b.score ? 0 : b.score - a.score))
    .map(({ tool }) => tool);
}

interface Document {
  /** How often each word occurs, weighted. */
  words: ReadonlyMap<string, number>;
  length: number;
}

function documentOf({ name, title = '', server, description = '', inputSchema }: ToolInfo): Document {
  const { properties } = inputSchema;
  const parameters = typeof properties === 'object' && properties ? Object.keys(properties).join(' ') : '';
  const fields = {
    name,
    title,
    server,
    description: description.slice(0, MOST_OF_A_DESCRIPTION),
    parameters,
  };
  const words = new Map<string, number>();
  let length = 0;
  for (const [field, weight] of Object.entries(WEIGHTS)) {
    for (const word of wordsOf(fields[field as keyof typeof fields])) {
      words.set(word, (words.get(word) ?? 0) + weight);
      length += weight;
    }
  }
  return { words, length };
}

function countOf(word: string, words: Document['words']): number {
  const exact = words.get(word);
  if (exact !== undefined) return exact;
  if (word.length < SHORTEST_BEGINNING) return 0;
  let most = 0;
  for (const [other, count] of words) if (other.startsWith(word)) most = Math.max(most, count);
  return most * BEGINNING;
}

/** Whether the query has one of the tool's names as it is. */
function isNamed({ name, modelName }: ToolInfo, query: string): boolean {
  const words = query.split(/[\s,;:"'“”()`]+/);
  return words.includes(name) || words.includes(modelName);
}
