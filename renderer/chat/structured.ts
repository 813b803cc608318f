import { canonicalJson } from '../../shared/canonicalJson.ts';
import type { ToolResult } from '../../shared/chat.ts';
import { decodedSize } from '../ui/media.ts';

/** Rows of equal kind, and what stands beside them. */
export interface Table {
  columns: string[];
  rows: Record<string, unknown>[];
  /** Everything else of the object that the rows are in. */
  rest: Record<string, unknown> | undefined;
}

/** More beside each other cannot be read; the tree can. */
const MAX_COLUMNS = 24;
/** Longer text is shown as it is: nobody wants to wait for it to be read as JSON. In characters. */
const MAX_PARSED = 2_000_000;

/**
 * The list of flat objects that a value is or, as the results of tools often do, has under one of its keys; undefined
 * for everything else.
 */
export function tableOf(value: unknown): Table | undefined {
  const columns = columnsOf(value);
  if (columns) return { columns, rows: value as Table['rows'], rest: undefined };
  if (!isObject(value)) return undefined;
  const lists = Object.entries(value).filter(([, inner]) => Array.isArray(inner));
  const [only] = lists;
  const found = lists.length === 1 ? columnsOf(only?.[1]) : undefined;
  if (!only || !found) return undefined;
  const { [only[0]]: rows, ...rest } = value;
  return {
    columns: found,
    rows: rows as Table['rows'],
    rest: Object.keys(rest).length > 0 ? rest : undefined,
  };
}

/** The object or list that a text is the JSON of. */
export function jsonIn(text: string): object | undefined {
  if (text.length > MAX_PARSED || !/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The content without the text that says in JSON what the structured part says: servers send both, for older hosts. */
export function withoutRepetition({ content, structuredContent }: ToolResult): ToolResult['content'] {
  if (typeof structuredContent !== 'object' || structuredContent === null) return content;
  const said = canonicalJson(structuredContent);
  return content.filter(({ type, text }) => {
    const value = type === 'text' && typeof text === 'string' ? jsonIn(text) : undefined;
    return value === undefined || canonicalJson(value) !== said;
  });
}

/** How much a server sent, in bytes: texts as they are, data as what it stands for. */
export function resultSize({ content, structuredContent }: ToolResult): number {
  let size = structuredContent === undefined ? 0 : bytesIn(JSON.stringify(structuredContent) ?? '');
  for (const { text, data, resource } of content) {
    if (typeof text === 'string') size += bytesIn(text);
    if (typeof data === 'string') size += decodedSize(data);
    if (!isObject(resource)) continue;
    if (typeof resource.text === 'string') size += bytesIn(resource.text);
    if (typeof resource.blob === 'string') size += decodedSize(resource.blob);
  }
  return size;
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}

function columnsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const columns = new Set<string>();
  for (const row of value) {
    if (!isObject(row)) return undefined;
    for (const [key, cell] of Object.entries(row)) {
      if (typeof cell === 'object' && cell !== null) return undefined;
      columns.add(key);
    }
    if (columns.size > MAX_COLUMNS) return undefined;
  }
  return columns.size > 0 ? [...columns] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
