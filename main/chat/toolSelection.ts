/**
 * Which tools go to a model: all of them, or where they would take too much of its window a few, and one to search the
 * others by. Providers read tools before everything else, so the list of a conversation only ever grows at its end:
 * what was sent before is then still in the prompt cache.
 */
import type { Message } from '../../shared/chat.ts';
import type { ToolSearch } from '../../shared/settings.ts';
import type { ModelTool, RegisteredTool } from '../tools/registry.ts';
import { estimate } from './contextSize.ts';
import { findToolsTool } from './findTools.ts';
import { readResultTool } from './readResult.ts';

/**
 * Of the window, from which share on tools are searched. They are read anew with every request that misses the cache,
 * and models choose worse among many: 5 % are 10,000 tokens or about 50 tools where the window has 200,000.
 */
const TOOLS_SHARE = 0.05;
/** What is sent from the beginning: of small servers all tools, so that only large ones must be searched. */
const STARTING_SHARE = TOOLS_SHARE / 2;

export interface Selecting {
  wish: ToolSearch;
  /** All that may be used in this conversation. */
  available: readonly RegisteredTool[];
  /** The names that were loaded before in this conversation; undefined: all were sent. */
  before: readonly string[] | undefined;
  /** The conversation; read only where the model begins to search. */
  messages: () => readonly Message[];
  /** In tokens. */
  window: number;
}

/** The names of the tools that the model has, in their order, where it searches the others; undefined: it gets all. */
export function loadedTools({ wish, available, before, messages, window }: Selecting): string[] | undefined {
  if (wish === 'never' || available.length === 0) return undefined;
  // A conversation in which tools are searched does not go back for a few less: that would cost its cache.
  const limit = window * (before ? STARTING_SHARE : TOOLS_SHARE);
  if (wish === 'automatic' && tokensOf(available) <= limit) return undefined;
  return [...(before ?? beginning(available, messages(), wish === 'always' ? 0 : window * STARTING_SHARE))];
}

/** With Parley's own: last where all are sent, as they never change, and first where more may follow at the end. */
export function toolsToSend(
  available: readonly RegisteredTool[],
  loaded: readonly string[] | undefined,
  messages: readonly Message[],
): ModelTool[] {
  const all = available.map(({ forModel }) => forModel);
  if (loaded) {
    const byName = new Map(all.map(tool => [tool.name, tool]));
    const servers = [...new Set(available.map(({ info }) => info.server))];
    return [findToolsTool(servers), readResultTool, ...loaded.flatMap(name => byName.get(name) ?? [])];
  }
  const hasCalls = messages.some(({ blocks }) => blocks.some(({ type }) => type === 'toolCall'));
  return all.length > 0 || hasCalls ? [...all, readResultTool] : [];
}

/** The tools of the smallest servers, as far as there is room, and those that were called already. */
function beginning(
  available: readonly RegisteredTool[],
  messages: readonly Message[],
  room: number,
): string[] {
  const servers = new Map<string, RegisteredTool[]>();
  for (const tool of available)
    servers.set(tool.info.server, [...(servers.get(tool.info.server) ?? []), tool]);
  const sizes = [...servers].map(([server, tools]) => ({ server, tokens: tokensOf(tools) }));
  const taken = new Set<string>();
  let left = room;
  for (const { server, tokens } of sizes.sort((a, b) => a.tokens - b.tokens)) {
    left -= tokens;
    if (left >= 0) taken.add(server);
  }
  const called = new Set(
    messages.flatMap(({ blocks }) =>
      blocks.flatMap(block => (block.type === 'toolCall' ? [block.modelName] : [])),
    ),
  );
  return available.flatMap(({ info: { server, modelName } }) =>
    taken.has(server) || called.has(modelName) ? [modelName] : [],
  );
}

function tokensOf(tools: readonly RegisteredTool[]): number {
  return estimate(tools.map(({ forModel }) => forModel));
}
