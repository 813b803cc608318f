import { isDeepStrictEqual } from 'node:util';
import {
  type Client,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { PromptInfo, ResourceInfo, TemplateInfo } from '../../shared/offers.ts';
import { declaresHeaders, unwrapItem } from './carried.ts';
import { messageOf } from './failures.ts';
import { understandPrompts, understandResources, understandTemplates } from './listedOffers.ts';
import { understandTools } from './listedTools.ts';
import type { ListedTool } from './types.ts';

/** A list that does not end must not fill the memory: pages, and items in all. */
const MAX_PAGES = 64;
const MAX_ITEMS = 10_000;
/** Each has its schema converted for models and checks; the largest servers in the field have some hundreds. */
const MAX_TOOLS = 2000;
/** In characters of JSON: one item, and all of a list. A million tokens: no model and no person reads more. */
const MAX_ITEM_LENGTH = 256 * 1024;
const MAX_LIST_LENGTH = 4 * 1024 * 1024;
/** One for each of ten thousand bad items would be read by nobody, and sent to the window with every change. */
const MAX_NOTES = 50;

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
      const isMalformed = error instanceof SdkError && error.code === SdkErrorCode.InvalidResult;
      if (!(error instanceof ProtocolError || isMalformed)) throw error;
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
    notes: notes.length > MAX_NOTES ? [...notes.slice(0, MAX_NOTES), moreNotes(notes)] : notes,
    freshUntil,
  };
}

function moreNotes(notes: readonly string[]): string {
  return `There is more of that: ${notes.length - MAX_NOTES} notes were left out.`;
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

const Page = z.looseObject({});

async function walk(
  client: Client,
  method: ListMethod,
  signal: AbortSignal,
  notes: string[],
): Promise<{ items: unknown[]; freshUntil: number }> {
  const list = new BoundedList(method, notes);
  const seen = new Set<string>();
  let freshUntil = Number.POSITIVE_INFINITY;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method, params }, Page, { signal });
    const ttlMs = typeof result.ttlMs === 'number' ? Math.max(0, result.ttlMs) : 0;
    freshUntil = Math.min(freshUntil, Date.now() + ttlMs);
    const { items } = list;
    if (!list.add(result[itemsKey[method]])) return { items, freshUntil };
    const { nextCursor } = result;
    if (nextCursor === undefined || nextCursor === null || nextCursor === '') return { items, freshUntil };
    if (typeof nextCursor !== 'string') {
      notes.push(`${method} names its next page with something that is no text: the rest was left out.`);
      return { items, freshUntil };
    }
    cursor = nextCursor;
    if (seen.has(cursor)) {
      notes.push(`${method} repeats itself: the list was read up to the repetition.`);
      return { items, freshUntil };
    }
    seen.add(cursor);
  }
  notes.push(`${method} has more than ${MAX_PAGES} pages: the rest was left out.`);
  return { items: list.items, freshUntil };
}

/** What is kept of a list. */
class BoundedList {
  readonly items: unknown[] = [];
  readonly #method: ListMethod;
  readonly #notes: string[];
  #length = 0;

  constructor(method: ListMethod, notes: string[]) {
    this.#method = method;
    this.#notes = notes;
  }

  /** Takes a page. Returns whether there is room for more. */
  add(page: unknown): boolean {
    const most = this.#method === 'tools/list' ? MAX_TOOLS : MAX_ITEMS;
    for (const item of Array.isArray(page) ? page : []) {
      if (this.items.length >= most) return this.#full(`more than ${most} items`);
      const original = unwrapItem(item);
      const json = JSON.stringify(original) ?? '';
      if (json.length > MAX_ITEM_LENGTH) {
        this.#notes.push(
          `An item of ${this.#method} was left out, because it is larger than ${MAX_ITEM_LENGTH >> 10} KB: ${json.slice(0, 100)}`,
        );
        continue;
      }
      this.#length += json.length;
      if (this.#length > MAX_LIST_LENGTH) return this.#full(`more than ${MAX_LIST_LENGTH >> 20} MB`);
      this.items.push(original);
    }
    return true;
  }

  #full(what: string): false {
    this.#notes.push(`${this.#method} has ${what}: the rest was left out.`);
    return false;
  }
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
  if (client.getProtocolEra() !== 'modern' || !tools.some(declaresHeaders)) return tools;
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
    if (!declaresHeaders(tool) || sendable.has(tool.name)) return true;
    notes.push(`The tool “${tool.name}” was left out: its x-mcp-header declaration is invalid.`);
    return false;
  });
}
