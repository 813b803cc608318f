import { sortedKeys } from './canonicalJson.ts';
import type { ToolDefinition } from './rules.ts';

/** A run of a text that both versions have, or only one of them. */
export interface DiffPart {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** What is different in one part of a definition. */
export interface DefinitionChange {
  part: 'Description' | 'Arguments' | 'Claims';
  parts: DiffPart[];
}

/** Texts with more pieces are not compared piece by piece: both are shown as they are. */
const MAX_PIECES = 2000;
/** So many lines beside a change are shown of what is the same. */
const CONTEXT_LINES = 2;

/** What changed between two definitions of a tool, part by part; parts that are the same are left out. */
export function definitionDiff(before: ToolDefinition, now: ToolDefinition): DefinitionChange[] {
  const changes: DefinitionChange[] = [
    { part: 'Description', parts: diff(words(before.description), words(now.description)) },
    { part: 'Arguments', parts: fold(diff(lines(before.inputSchema), lines(now.inputSchema))) },
    { part: 'Claims', parts: fold(diff(lines(before.annotations), lines(now.annotations))) },
  ];
  return changes.filter(({ parts }) => parts.some(({ kind }) => kind !== 'same'));
}

/** Words with the space behind them. */
function words(text = ''): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

function lines(value: unknown): string[] {
  if (value === undefined) return [];
  return JSON.stringify(sortedKeys(value), null, 2)
    .split('\n')
    .map(line => `${line}\n`);
}

/** By the longest common subsequence, without what both begin and end with. */
function diff(before: readonly string[], now: readonly string[]): DiffPart[] {
  let start = 0;
  while (start < before.length && start < now.length && before[start] === now[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < now.length - start &&
    before[before.length - 1 - end] === now[now.length - 1 - end]
  )
    end++;
  const parts: DiffPart[] = [];
  add(parts, 'same', before.slice(0, start));
  middle(parts, before.slice(start, before.length - end), now.slice(start, now.length - end));
  add(parts, 'same', before.slice(before.length - end));
  return parts;
}

function middle(parts: DiffPart[], before: readonly string[], now: readonly string[]): void {
  if (before.length + now.length > MAX_PIECES) {
    add(parts, 'removed', before);
    add(parts, 'added', now);
    return;
  }
  const width = now.length + 1;
  // The length of the longest common subsequence of what follows, row by row.
  const common = new Uint16Array((before.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] =
        before[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  let i = 0;
  let j = 0;
  while (i < before.length || j < now.length) {
    if (i < before.length && j < now.length && before[i] === now[j]) {
      add(parts, 'same', [before[i] as string]);
      i++;
      j++;
    } else if (j >= now.length || (i < before.length && at(i + 1, j) >= at(i, j + 1))) {
      add(parts, 'removed', [before[i++] as string]);
    } else {
      add(parts, 'added', [now[j++] as string]);
    }
  }
}

function add(parts: DiffPart[], kind: DiffPart['kind'], pieces: readonly string[]): void {
  if (pieces.length === 0) return;
  const last = parts.at(-1);
  const text = pieces.join('');
  if (last?.kind === kind) last.text += text;
  else parts.push({ kind, text });
}

/** Long runs that are the same say only how long they are. */
function fold(parts: DiffPart[]): DiffPart[] {
  return parts.map((part, index) => {
    if (part.kind !== 'same') return part;
    const all = part.text.split('\n').slice(0, -1);
    const head = index === 0 ? 0 : CONTEXT_LINES;
    const tail = index === parts.length - 1 ? 0 : CONTEXT_LINES;
    const hidden = all.length - head - tail;
    if (hidden <= 1) return part;
    const shown = [
      ...all.slice(0, head),
      `… ${hidden} lines that are the same …`,
      ...all.slice(all.length - tail),
    ];
    return { ...part, text: `${shown.join('\n')}\n` };
  });
}
