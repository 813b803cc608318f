import { isDeepStrictEqual } from 'node:util';
import { type Client, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { PromptInfo, ResourceInfo, TemplateInfo } from '../../shared/offers.ts';
import { unwrapItem } from './carried.ts';
import { messageOf } from './failures.ts';
import { understandPrompts, understandResources, understandTemplates } from './listedOffers.ts';
import { understandTools } from './listedTools.ts';
import type { ListedTool } from './types.ts';

/** A list that does not end must not fill the memory: pages, and items in all. */
const MAX_PAGES = 64;
const MAX_ITEMS = 10_000;

/** What a server offers, as far as it could be understood, and what could not. */
export interface Lists {
  tools: readonly ListedTool[];
  prompts: readonly PromptInfo[];
  resources: readonly ResourceInfo[];
  templates: readonly TemplateInfo[];
  notes: readonly string[];
  /** Until when the server lets them count as fresh, ms since the epoch; the earliest of all pages. */
  freshUntil: number;
}

export const NO_LISTS: Lists = {
  tools: [],
  prompts: [],
  resources: [],
  templates: [],
  notes: [],
  freshUntil: 0,
};

/**
 * Reads every list the server declares, item by item and not through the SDK's typed methods: those refuse a whole
 * list for one bad item. A list that the server answers with an error is an empty one with a note.
 * @throws when the server is gone or silent
 */
export async function readLists(client: Client, signal: AbortSignal): Promise<Lists> {
  const declared = client.getServerCapabilities();
  const notes: string[] = [];
  let freshUntil = Number.POSITIVE_INFINITY;
  const read = async (capability: unknown, method: ListMethod): Promise<unknown[]> => {
    if (!capability) return [];
    try {
      const list = await walk(client, method, signal, notes);
      freshUntil = Math.min(freshUntil, list.freshUntil);
      return list.items;
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      // Many servers have resources and no idea of templates.
      if (method === 'resources/templates/list' && error.code === ProtocolErrorCode.MethodNotFound) return [];
      notes.push(`${method} failed: ${error.message.slice(0, 300)} (${error.code})`);
      return [];
    }
  };
  const [tools, prompts, resources, templates] = await Promise.all([
    read(declared?.tools, 'tools/list'),
    read(declared?.prompts, 'prompts/list'),
    read(declared?.resources, 'resources/list'),
    read(declared?.resources, 'resources/templates/list'),
  ]);
  return {
    tools: await withoutUnsendable(client, understandTools(tools, notes), signal, notes),
    prompts: understandPrompts(prompts, notes),
    resources: understandResources(resources, notes),
    templates: understandTemplates(templates, notes),
    notes,
    freshUntil,
  };
}

/** Whether they hold the same; for how long they may be kept is not a part of it. */
export function areSameLists(a: Lists, b: Lists): boolean {
  return isDeepStrictEqual({ ...a, freshUntil: 0 }, { ...b, freshUntil: 0 });
}

const itemsKey = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
} as const;
type ListMethod = keyof typeof itemsKey;

const Page = z.looseObject({ nextCursor: z.string().nullish() });

async function walk(
  client: Client,
  method: ListMethod,
  signal: AbortSignal,
  notes: string[],
): Promise<{ items: unknown[]; freshUntil: number }> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let freshUntil = Number.POSITIVE_INFINITY;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method, params }, Page, { signal });
    const list = result[itemsKey[method]];
    if (Array.isArray(list)) items.push(...list.slice(0, MAX_ITEMS - items.length).map(unwrapItem));
    const ttlMs = typeof result.ttlMs === 'number' ? Math.max(0, result.ttlMs) : 0;
    freshUntil = Math.min(freshUntil, Date.now() + ttlMs);
    cursor = result.nextCursor ?? undefined;
    if (cursor === undefined || cursor === '') return { items, freshUntil };
    if (items.length >= MAX_ITEMS) {
      notes.push(`${method} has more than ${MAX_ITEMS} items: the rest was left out.`);
      return { items, freshUntil };
    }
    if (seen.has(cursor)) {
      notes.push(`${method} repeats itself: the list was read up to the repetition.`);
      return { items, freshUntil };
    }
    seen.add(cursor);
  }
  notes.push(`${method} has more than ${MAX_PAGES} pages: the rest was left out.`);
  return { items, freshUntil };
}

/**
 * Over HTTP, tools whose `x-mcp-header` declarations are invalid must not be offered. The SDK knows the rules and
 * applies them when it reads the list itself, which is asked for only when there is such a declaration.
 * @see the streamable-http page of the specification
 */
async function withoutUnsendable(
  client: Client,
  tools: ListedTool[],
  signal: AbortSignal,
  notes: string[],
): Promise<ListedTool[]> {
  const declares = (tool: ListedTool) => JSON.stringify(tool.inputSchema).includes('"x-mcp-header"');
  if (client.getProtocolEra() !== 'modern' || !tools.some(declares)) return tools;
  let sendable: Set<string>;
  try {
    const listed = await client.listTools({}, { signal, cacheMode: 'refresh' });
    sendable = new Set(listed.tools.map(tool => tool.name));
  } catch (error) {
    if (signal.aborted) throw error;
    // The SDK could not read the list for another reason; none of the tools in question is offered unchecked.
    notes.push(
      `The header declarations of its tools could not be checked: ${messageOf(error).slice(0, 200)}`,
    );
    sendable = new Set();
  }
  return tools.filter(tool => {
    if (!declares(tool) || sendable.has(tool.name)) return true;
    notes.push(`The tool “${tool.name}” was left out: its x-mcp-header declaration is invalid.`);
    return false;
  });
}
