/** The tool by which a model searches the tools that it was not given: there can be more than its window has room for. */
import { z } from 'zod';
import type { ToolResult } from '../../shared/chat.ts';
import type { JsonObject, ToolInfo } from '../../shared/tools.ts';
import type { ModelTool } from '../tools/registry.ts';
import { rankTools } from './toolRanking.ts';

export const FIND_TOOLS = 'find_tools';

/** What a person reads on its card. */
export const FIND_TOOLS_TITLE = 'Find tools';

/** At once: few enough that their definitions do not fill the window after all. */
const MOST_FOUND = 8;
const MOST_LISTED = 100;
const MOST_OF_A_DESCRIPTION = 200;
const MOST_SERVERS = 50;

/** @param servers whose tools can be found */
export function findToolsTool(servers: readonly string[]): ModelTool {
  return {
    name: FIND_TOOLS,
    description: `There are more tools than those in your list. This searches all of them by name, title, description and server, and puts the ones that fit best into your list, so that you can call them in your next step. Search before you say that something cannot be done. The servers: ${listed(servers)}.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words for what the tool is to do, or a part of its name.' },
        server: {
          type: 'string',
          description: 'Only tools of this server. Without a query all their names are listed.',
        },
      },
      additionalProperties: false,
    },
  };
}

const Input = z.object({ query: z.string().default(''), server: z.string().optional() });

export interface FoundTools {
  result: ToolResult;
  /** The names of the tools that the model has from now on. */
  found: string[];
}

/** `tools`: all that the model may use in this conversation. */
export function findTools(tools: readonly ToolInfo[], input: JsonObject): FoundTools {
  const parsed = Input.safeParse(input);
  if (!parsed.success) return nothing(z.prettifyError(parsed.error));
  const { query, server } = parsed.data;
  const servers = [...new Set(tools.map(tool => tool.server))];
  if (server !== undefined && !servers.includes(server))
    return nothing(`There is no server ${JSON.stringify(server)}. The servers: ${listed(servers)}.`);
  const there = server === undefined ? tools : tools.filter(tool => tool.server === server);
  if (query.trim() === '')
    return server === undefined ? nothing('Give a query, a server, or both.') : overview(server, there);
  const found = rankTools(query, there).slice(0, MOST_FOUND);
  if (found.length === 0)
    return nothing(`No tool fits. Try other words, or list a server. The servers: ${listed(servers)}.`);
  const head = 'These tools are in your list from your next step on:';
  return {
    result: said([head, ...found.map(inWords)].join('\n')),
    found: found.map(({ modelName }) => modelName),
  };
}

/** Nothing of it is put into the list: one that is called by its name is. */
function overview(server: string, tools: readonly ToolInfo[]): FoundTools {
  const names = tools.slice(0, MOST_LISTED).map(({ modelName }) => modelName);
  const more = tools.length > names.length ? [`and ${tools.length - names.length} more`] : [];
  const head = `The tools of ${JSON.stringify(server)}; search for those that you need:`;
  return { result: said([head, ...names, ...more].join('\n')), found: [] };
}

function inWords({ modelName, title, description = '' }: ToolInfo): string {
  const words = [title, description].filter(Boolean).join('. ').replace(/\s+/g, ' ');
  const short = words.length > MOST_OF_A_DESCRIPTION ? `${words.slice(0, MOST_OF_A_DESCRIPTION)}…` : words;
  return `- ${modelName}${short === '' ? '' : `: ${short}`}`;
}

function listed(servers: readonly string[]): string {
  const names = servers.slice(0, MOST_SERVERS).map(name => JSON.stringify(name));
  return `${names.join(', ')}${servers.length > names.length ? ' and others' : ''}`;
}

function said(text: string): ToolResult {
  return { content: [{ type: 'text', text }] };
}

function nothing(text: string): FoundTools {
  return { result: { ...said(text), isError: true }, found: [] };
}
