import { setImmediate as letOthersGoFirst } from 'node:timers/promises';
import type { Block, FoundMessage, ToolCallBlock } from '../../shared/chat.ts';
import type { Db } from '../database.ts';
import type { Conversations } from './conversations.ts';
import { type BlockRow, blockOf, MessageRows } from './messageRows.ts';

/** So many messages are looked through at once: the host has other work too. */
const AT_ONCE = 200;

/**
 * Finds a text in one conversation: any part of a word, in all that a person can read there, whereas the search of all
 * conversations knows words that somebody wrote.
 */
export class Finder {
  readonly #rows: MessageRows;
  readonly #conversations: Conversations;

  constructor(db: Db, conversations: Conversations) {
    this.#rows = new MessageRows(db);
    this.#conversations = conversations;
  }

  /** On the branch that is shown, oldest first. */
  async find(conversationId: string, query: string): Promise<FoundMessage[]> {
    this.#conversations.get(conversationId);
    const wanted = query.trim().toLowerCase();
    const leaf = this.#rows.leaf(conversationId);
    if (wanted === '' || leaf === undefined) return [];
    const branch = this.#rows.branch(leaf);
    const found: FoundMessage[] = [];
    for (let at = 0; at < branch.length; at += AT_ONCE) {
      const ids = branch.slice(at, at + AT_ONCE);
      const blocks = new Map<string, number[]>(ids.map(id => [id, []]));
      for (const row of this.#rows.readableBlocks(ids))
        if (holds(row, wanted)) blocks.get(row.message_id)?.push(row.position);
      for (const [messageId, places] of blocks)
        if (places.length > 0) found.push({ messageId, blocks: places });
      await letOthersGoFirst();
    }
    return found;
  }
}

function holds(row: BlockRow, wanted: string): boolean {
  // Most blocks are seen to be without it before they are understood.
  const written = JSON.stringify(wanted).slice(1, -1);
  if (![row.json, row.result].some(json => json?.toLowerCase().includes(written))) return false;
  return wordsOf(blockOf(row)).some(words => words.toLowerCase().includes(wanted));
}

/** What a person can read of a block. */
function wordsOf(block: Block): string[] {
  switch (block.type) {
    case 'text':
    case 'thinking':
    case 'summary':
      return [block.text];
    case 'notice':
      return [block.message, block.hint ?? ''];
    case 'toolCall':
      return wordsOfCall(block);
    default:
      return [];
  }
}

function wordsOfCall({ title, tool, modelName, args, input, result, error }: ToolCallBlock): string[] {
  return [
    title ?? tool ?? modelName,
    ...leavesOf(args ?? input),
    ...(result?.content ?? []).flatMap(({ type: _type, data: _data, resource, ...item }) => [
      ...leavesOf(item),
      ...leavesOf(resource && { ...(resource as object), blob: undefined }),
    ]),
    ...leavesOf(result?.structuredContent),
    error?.message ?? '',
  ];
}

/** The names, texts and numbers in a JSON value, which may be nested as deep as a server likes. */
function leavesOf(value: unknown): string[] {
  const leaves: string[] = [];
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next !== 'object' || next === null) {
      if (next !== undefined) leaves.push(String(next));
      continue;
    }
    for (const [key, inner] of Object.entries(next)) {
      if (!Array.isArray(next)) leaves.push(key);
      rest.push(inner);
    }
  }
  return leaves;
}
