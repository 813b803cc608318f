import { isSpecType } from '@modelcontextprotocol/client';
import type { ToolResult } from '../../shared/chat.ts';
import { isObject, withoutNulls } from './objects.ts';

/**
 * The SDK refuses a whole result for one content item that it does not know. Such an item travels through it inside
 * an empty text item and comes out as the server sent it.
 */
const CARRIED = 'parley/carried';

/** What the SDK accepts for an item of `content`. */
export function wrapContent(item: unknown): unknown {
  const repaired = isObject(item) ? withoutNulls(item) : item;
  return isSpecType.ContentBlock(repaired)
    ? repaired
    : { type: 'text', text: '', _meta: { [CARRIED]: item } };
}

/** The items as the server sent them; one without a type becomes text. */
export function unwrapContent(items: readonly unknown[]): ToolResult['content'] {
  return items.map(item => {
    const original = carried(item) ?? item;
    return hasType(original) ? original : { type: 'text', text: JSON.stringify(original) };
  });
}

function carried(item: unknown): unknown {
  const meta = (item as { _meta?: Record<string, unknown> })._meta;
  return meta && Object.hasOwn(meta, CARRIED) ? meta[CARRIED] : undefined;
}

function hasType(item: unknown): item is ToolResult['content'][number] {
  return typeof item === 'object' && item !== null && typeof (item as { type?: unknown }).type === 'string';
}
