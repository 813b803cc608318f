import type { ToolResult } from '../../shared/chat.ts';
import { unwrapItem } from './carried.ts';
import { isObject } from './objects.ts';

/** The items of a result as the server sent them; one without a type becomes text. */
export function unwrapContent(items: readonly unknown[]): ToolResult['content'] {
  return items.map(item => {
    const original = unwrapItem(item);
    return hasType(original) ? original : { type: 'text', text: JSON.stringify(original) };
  });
}

function hasType(item: unknown): item is ToolResult['content'][number] {
  return isObject(item) && typeof item.type === 'string';
}
