import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { JsonObject, ToolAnnotations } from '../../shared/tools.ts';
import { messageOf } from './failures.ts';
import type { ListedTool } from './types.ts';

const MAX_PAGES = 64;

/** What a server offers, as far as it could be understood, and what could not. */
export interface Lists {
  tools: ListedTool[];
  prompts: number;
  resources: number;
  notes: string[];
}

/** Reads every list the server declares. One bad item, or one failing list, never hides the others. */
export async function readLists(client: Client, signal: AbortSignal): Promise<Lists> {
  const declared = client.getServerCapabilities();
  const notes: string[] = [];
  const read = async (capability: unknown, method: ListMethod): Promise<unknown[]> => {
    if (!capability) return [];
    try {
      return await readAll(client, method, signal, notes);
    } catch (error) {
      if (method === 'tools/list' || signal.aborted) throw error;
      notes.push(`${method} failed: ${messageOf(error)}`);
      return [];
    }
  };
  const [tools, prompts, resources] = await Promise.all([
    read(declared?.tools, 'tools/list'),
    read(declared?.prompts, 'prompts/list'),
    read(declared?.resources, 'resources/list'),
  ]);
  return {
    tools: understandTools(tools, notes),
    prompts: prompts.length,
    resources: resources.length,
    notes,
  };
}

type ListMethod = 'tools/list' | 'prompts/list' | 'resources/list';

const Page = z.looseObject({ nextCursor: z.string().nullish() });

/**
 * The SDK's own walk first (it fills the cache that its calls rely on); when one malformed item makes it reject the
 * whole list, a walk of our own that takes items as they come.
 */
async function readAll(
  client: Client,
  method: ListMethod,
  signal: AbortSignal,
  notes: string[],
): Promise<unknown[]> {
  try {
    const options = { signal, cacheMode: 'refresh' } as const;
    if (method === 'tools/list') return (await client.listTools({}, options)).tools;
    if (method === 'prompts/list') return (await client.listPrompts({}, options)).prompts;
    return (await client.listResources({}, options)).resources;
  } catch (error) {
    if (signal.aborted) throw error;
    return walk(client, method, signal, notes);
  }
}

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
    const result = await client.request({ method, params: cursor === undefined ? {} : { cursor } }, Page, {
      signal,
    });
    const list = result[key];
    if (Array.isArray(list)) items.push(...list);
    cursor = result.nextCursor ?? undefined;
    if (cursor === undefined) return items;
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
  for (const item of items) {
    const tool = understandTool(item);
    if (typeof tool === 'string') notes.push(tool);
    else if (tools.has(tool.name))
      notes.push(`The tool “${tool.name}” is listed twice; the first one is used.`);
    else tools.set(tool.name, tool);
  }
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
