import { isSpecType } from '@modelcontextprotocol/client';
import { isObject } from './objects.ts';

/**
 * The SDK refuses a whole list or result for one item in it that it does not know. Such an item travels through the
 * SDK inside a placeholder, and comes out as the server sent it. So do the items of lists, known or not: they are
 * understood by our own readers, and the SDK's look at each of a thousand tools would cost more than all the rest.
 */
const CARRIED = 'parley/carried';

const STRUCTURED = 'parley/structured';

/** What the SDK accepts for an item of the list of that name; the item itself where it is in order. */
export const wrapItem = {
  content: (item: unknown) =>
    isSpecType.ContentBlock(item) ? item : carry(item, { type: 'text', text: '' }),
  tools: (item: unknown) =>
    declaresHeaders(item) && isTool(item)
      ? item
      : carry(item, { name: '?', inputSchema: { type: 'object' } }),
  prompts: (item: unknown) => carry(item, { name: '?' }),
  resources: (item: unknown) => carry(item, { name: '?', uri: 'parley:carried' }),
  resourceTemplates: (item: unknown) => carry(item, { name: '?', uriTemplate: 'parley:carried' }),
  contents: (item: unknown) =>
    isSpecType.TextResourceContents(item) || isSpecType.BlobResourceContents(item)
      ? item
      : carry(item, { uri: 'parley:carried', text: '' }),
  messages: (item: unknown) =>
    // The SDK keeps no `_meta` of a message itself.
    isSpecType.PromptMessage(item)
      ? item
      : { role: 'user', content: carry(item, { type: 'text', text: '' }) },
};

/** The item as the server sent it. */
export function unwrapItem(item: unknown): unknown {
  const meta = isObject(item) ? item._meta : undefined;
  return isObject(meta) && Object.hasOwn(meta, CARRIED) ? meta[CARRIED] : item;
}

/** A result that stands for a task, as an empty one of the kind that the SDK knows. */
export function wrapTask(result: Record<string, unknown>): Record<string, unknown> {
  return { resultType: 'complete', content: [], _meta: { [CARRIED]: result } };
}

/**
 * A result with structured content that is no object, which revisions before 2026-07-28 do not know and servers send:
 * the SDK would refuse the whole.
 */
export function wrapStructured(result: Record<string, unknown>): Record<string, unknown> {
  const { structuredContent, ...rest } = result;
  if (structuredContent === undefined || isObject(structuredContent)) return result;
  return { ...rest, _meta: { ...(isObject(rest._meta) ? rest._meta : {}), [STRUCTURED]: structuredContent } };
}

/** The structured content of a result as the server sent it. */
export function structuredIn(result: { structuredContent?: unknown; _meta?: unknown }): unknown {
  return result.structuredContent ?? (isObject(result._meta) ? result._meta[STRUCTURED] : undefined);
}

function carry(item: unknown, placeholder: object): object {
  return { ...placeholder, _meta: { [CARRIED]: item } };
}

/** Over HTTP the SDK must see a tool that wants some of its arguments in headers. */
export function declaresHeaders(tool: unknown): boolean {
  return isObject(tool) && (JSON.stringify(tool.inputSchema) ?? '').includes('"x-mcp-header"');
}

function isTool(item: unknown): boolean {
  // The check of the modern era is this one and the next; the type that is exported knows the first only.
  return isSpecType.Tool(item) && ['string', 'undefined'].includes(typeof item.inputSchema.$schema);
}
