/** Results too large to be a part of their message: what of them is shown without being asked for, and how the rest is read. */
import type { Block, Message, ToolCallBlock, ToolResult } from '../../shared/chat.ts';
import { HostError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/tools.ts';

/** In characters. What is longer is kept beside the messages, so that a conversation opens quickly whatever is in it. */
const MOST_IN_A_MESSAGE = 48_000;
/** Of each part so much stays: what a person sees at first. */
const MOST_OF_A_PART = 2000;
const MOST_PARTS = 20;

/** The same block, without most of its result where that is too large. */
export function abridged(block: Block): Block {
  if (block.type !== 'toolCall' || !block.result || block.abridged) return block;
  const length = lengthOf(block.result);
  if (length <= MOST_IN_A_MESSAGE) return block;
  const { content, structuredContent, ...rest } = block.result;
  const parts: Record<string, number> = {};
  const begun = content.slice(0, MOST_PARTS).map((part, index) => {
    const size = lengthOf(part);
    if (size <= MOST_OF_A_PART) return part;
    parts[index] = typeof part.text === 'string' ? part.text.length : size;
    return beginning(part);
  });
  const structured = lengthOf(structuredContent);
  const isStructuredKept = structuredContent !== undefined && structured <= MOST_OF_A_PART;
  if (!isStructuredKept && structuredContent !== undefined) parts[STRUCTURED] = structured;
  return {
    ...block,
    result: { ...rest, content: begun, ...(isStructuredKept ? { structuredContent } : {}) },
    abridged: { length, parts, left: content.length - begun.length },
  };
}

/** Stands for the structured part, which has no number. */
const STRUCTURED = 'structured';

/** The block as it was, with the result that was kept beside it. */
export function unabridged({ abridged: _mark, ...call }: ToolCallBlock, result: ToolResult): ToolCallBlock {
  return { ...call, result };
}

/** @throws HostError `result.none` */
export function resultOf({ blocks }: Message, index: number): ToolResult {
  const block = blocks[index];
  if (block?.type !== 'toolCall' || !block.result)
    throw new HostError('result.none', 'This call has no result.');
  return block.result;
}

/** A part of a result as text: words as they are, everything else as JSON. */
export function textOfPart({ content, structuredContent }: ToolResult, part: string): string {
  const found = part === STRUCTURED ? structuredContent : content[Number(part)];
  const text = (found as { text?: unknown } | undefined)?.text;
  return typeof text === 'string' && part !== STRUCTURED ? text : (JSON.stringify(found, null, 2) ?? '');
}

/** What it is, and of its words the first. */
function beginning(part: ToolResult['content'][number]): ToolResult['content'][number] {
  const small = Object.entries(part).filter(([, value]) => lengthOf(value) <= MOST_OF_A_PART / 10);
  const { text } = part;
  return {
    ...(Object.fromEntries(small) as JsonObject & { type: string }),
    ...(typeof text === 'string' ? { text: text.slice(0, MOST_OF_A_PART) } : {}),
  };
}

/** About as many characters as it has in JSON; counted without making that. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 6;
  let sum = 2;
  for (const [key, inner] of Object.entries(value)) sum += key.length + 4 + lengthOf(inner);
  return sum;
}
