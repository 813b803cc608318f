import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { JsonObject, ToolAnnotations } from '../../shared/tools.ts';
import { unwrapItem } from './carried.ts';
import { messageOf } from './failures.ts';
import type { ListedTool } from './types.ts';

const MAX_PAGES = 64;

/** What a server offers, as far as it could be understood, and what could not. */
export interface Lists {
  tools: readonly ListedTool[];
  prompts: number;
  resources: number;
  notes: readonly string[];
}

export const NO_LISTS: Lists = { tools: [], prompts: 0, resources: 0, notes: [] };

/**
 * Reads every list the server declares, item by item and not through the SDK's typed methods: those refuse a whole
 * list for one bad item. A list that the server answers with an error is an empty one with a note.
 * @throws when the server is gone or silent
 */
export async function readLists(client: Client, signal: AbortSignal): Promise<Lists> {
  const declared = client.getServerCapabilities();
  const notes: string[] = [];
  const read = async (capability: unknown, method: ListMethod): Promise<unknown[]> => {
    if (!capability) return [];
    try {
      return await walk(client, method, signal, notes);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      notes.push(`${method} failed: ${error.message.slice(0, 300)} (${error.code})`);
      return [];
    }
  };
  const [tools, prompts, resources] = await Promise.all([
    read(declared?.tools, 'tools/list'),
    read(declared?.prompts, 'prompts/list'),
    read(declared?.resources, 'resources/list'),
  ]);
  const usable = await withoutUnsendable(client, understandTools(tools, notes), signal, notes);
  return { tools: usable, prompts: prompts.length, resources: resources.length, notes };
}

type ListMethod = 'tools/list' | 'prompts/list' | 'resources/list';

const Page = z.looseObject({ nextCursor: z.string().nullish() });

async function walk(
  client: Client,
  method: ListMethod,
  signal: AbortSignal,
  notes: string[],
): Promise<unknown[]> {
  const key = method.slice(0, method.indexOf('/'));
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method, params }, Page, { signal });
    const list = result[key];
    if (Array.isArray(list)) items.push(...list.map(unwrapItem));
    cursor = result.nextCursor ?? undefined;
    if (cursor === undefined || cursor === '') return items;
    if (seen.has(cursor)) {
      notes.push(`${method} repeats itself: the list was read up to the repetition.`);
      return items;
    }
    seen.add(cursor);
  }
  notes.push(`${method} has more than ${MAX_PAGES} pages: the rest was left out.`);
  return items;
}

function understandTools(items: unknown[], notes: string[]): ListedTool[] {
  const tools = new Map<string, ListedTool>();
  const twice = new Set<string>();
  for (const item of items) {
    const tool = understandTool(item);
    if (typeof tool === 'string') notes.push(tool);
    else if (tools.has(tool.name)) twice.add(tool.name);
    else tools.set(tool.name, tool);
  }
  for (const name of twice) notes.push(`The tool “${name}” is listed more than once; the first one is used.`);
  return [...tools.values()];
}

const Loose = z.looseObject({ name: z.string().min(1) });

/** The tool, or why it had to be left out. */
function understandTool(item: unknown): ListedTool | string {
  const parsed = Loose.safeParse(item);
  if (!parsed.success) return `A tool without a name was left out: ${JSON.stringify(item)?.slice(0, 120)}`;
  const { name, title, description, inputSchema, outputSchema, annotations } = parsed.data;
  const schema = JsonObject.safeParse(inputSchema);
  const output = JsonObject.safeParse(outputSchema);
  const claims = ToolAnnotations.safeParse(annotations);
  return {
    name,
    ...(typeof title === 'string' && title !== '' ? { title } : {}),
    ...(typeof description === 'string' && description !== '' ? { description } : {}),
    inputSchema: schema.success ? schema.data : { type: 'object' },
    ...(output.success ? { outputSchema: output.data } : {}),
    ...(claims.success ? { annotations: claims.data } : {}),
    ...(schema.success
      ? {}
      : { problem: 'It has no input schema; it is offered as a tool without arguments.' }),
  };
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
