import type { Message } from '../../shared/chat.ts';
import type { ContextPart, ContextReport } from '../../shared/context.ts';
import type { Prices } from '../../shared/prices.ts';
import type { ToolSearch } from '../../shared/settings.ts';
import { sumUsage } from '../../shared/usageSum.ts';
import type { ClientManager } from '../servers/clientManager.ts';
import type { ModelTool, RegisteredTool, Registry } from '../tools/registry.ts';
import { contextSize, estimate, estimateMessages } from './contextSize.ts';
import type { Conversations } from './conversations.ts';
import type { ModelRequest } from './model.ts';
import { summarised } from './summary.ts';
import { systemPrompt } from './systemPrompt.ts';
import { loadedTools, toolsToSend } from './toolSelection.ts';
import type { CurrentModel } from './turnDeps.ts';
import { USUAL_WINDOW } from './turnRoom.ts';

export interface ContextReportDeps {
  conversations: Conversations;
  registry: Registry;
  manager: ClientManager;
  modelFor(model: string | undefined): CurrentModel;
  prices(): Prices;
  toolSearch(): ToolSearch;
}

/** More servers than that are not counted one by one. */
const MOST_COUNTED = 12;

/**
 * How full the model's window is. `exact`: the endpoint counts the parts where it can, which takes a request for each
 * that has changed; otherwise they are shares of what is known, by their length.
 */
export async function contextReport(
  deps: ContextReportDeps,
  conversationId: string,
  { exact }: { exact: boolean },
  signal: AbortSignal,
): Promise<ContextReport> {
  const { settings } = deps.conversations.get(conversationId);
  const current = deps.modelFor(settings.model);
  const { chatModel, model } = current;
  const messages = deps.conversations.messages(conversationId);
  const window = await chatModel.windowOf?.(model, signal);
  const available = deps.registry.available(settings);
  const loaded = loadedTools({
    wish: deps.toolSearch(),
    available,
    before: deps.conversations.loadedTools(conversationId),
    messages: () => messages,
    window: window ?? USUAL_WINDOW,
  });
  const tools = toolsToSend(available, loaded, messages);
  const system = systemPrompt(deps.manager.views(), settings);
  const groups = toolGroups(deps.registry, tools);
  const shares: ContextPart[] = [
    { kind: 'system', tokens: estimate(system) },
    ...groups.map(
      ({ server, tools }): ContextPart => ({ kind: 'tools', ...server, tokens: estimate(tools) }),
    ),
    ...messageShares(messages),
  ];
  const size = contextSize(messages, estimate([system, tools]));
  const request: ModelRequest = { ...current, conversationId, system, messages, tools };
  const counted = exact && chatModel.windowOf ? await count(current, request, groups, signal) : undefined;
  const used = size.isEstimate && counted ? counted.all : size.tokens;
  return {
    model,
    ...(window === undefined ? {} : { window }),
    used,
    isEstimate: size.isEstimate && !counted,
    parts: (counted ? asCounted(shares, counted, used) : scaled(shares, used)).filter(
      ({ tokens }) => tokens > 0,
    ),
    partsFrom: counted ? 'endpoint' : 'shares',
    ...(loaded ? { toolSearch: { loaded: countThere(loaded, available), all: available.length } } : {}),
    lastTurn: sumUsage(lastTurn(messages), deps.prices()),
    conversation: sumUsage(deps.conversations.usages(conversationId), deps.prices()),
  };
}

interface Counted {
  system: number;
  /** In the order of the groups; undefined for those that were not counted one by one. */
  tools: (number | undefined)[];
  all: number;
}

/** Undefined when the endpoint does not count. */
async function count(
  { chatModel }: CurrentModel,
  request: ModelRequest,
  groups: readonly ToolGroup[],
  signal: AbortSignal,
): Promise<Counted | undefined> {
  const messages = [ONE_WORD];
  const bare = { ...request, system: '', tools: [], messages };
  const base = await chatModel.count?.(bare, signal);
  if (base === undefined) return undefined;
  const over = async (more: Partial<ModelRequest>) => {
    const tokens = await chatModel.count?.({ ...bare, ...more }, signal);
    return tokens === undefined ? undefined : Math.max(0, tokens - base);
  };
  const [system, all, ...tools] = await Promise.all([
    over({ system: request.system }),
    chatModel.count?.(request, signal),
    ...groups.map(({ tools }, index) => (index < MOST_COUNTED ? over({ tools }) : undefined)),
  ]);
  return system === undefined || all === undefined ? undefined : { system, all, tools };
}

const ONE_WORD: Message = {
  id: '',
  conversationId: '',
  role: 'user',
  status: 'complete',
  createdAt: 0,
  blocks: [{ type: 'text', text: 'x' }],
};

/** What was not counted by itself shares the rest. */
function asCounted(shares: readonly ContextPart[], counted: Counted, used: number): ContextPart[] {
  let tool = 0;
  const known = shares.map(({ kind }) =>
    kind === 'system' ? counted.system : kind === 'tools' ? counted.tools[tool++] : undefined,
  );
  const rest = Math.max(0, used - known.reduce<number>((sum, tokens) => sum + (tokens ?? 0), 0));
  const shared = scaled(
    shares.filter((_part, index) => known[index] === undefined),
    rest,
  );
  return shares.map((part, index) => {
    const tokens = known[index];
    return tokens === undefined ? (shared.shift() ?? part) : { ...part, tokens };
  });
}

function scaled(parts: readonly ContextPart[], total: number): ContextPart[] {
  const sum = parts.reduce((all, { tokens }) => all + tokens, 0) || 1;
  return parts.map(part => ({ ...part, tokens: Math.round((part.tokens * total) / sum) }));
}

function messageShares(messages: readonly Message[]): ContextPart[] {
  const { summary, kept } = summarised(messages);
  const only = (wanted: (type: string) => boolean) =>
    estimateMessages(kept.map(one => ({ ...one, blocks: one.blocks.filter(({ type }) => wanted(type)) })));
  const calls = only(type => type === 'toolCall');
  const isAttached = (type: string) => type === 'image' || type === 'document' || type === 'attachment';
  return [
    { kind: 'summary', tokens: summary ? estimate(summary.text) : 0 },
    { kind: 'messages', tokens: only(type => type !== 'toolCall' && !isAttached(type)) },
    {
      kind: 'attachments',
      tokens: kept.some(({ blocks }) => blocks.some(({ type }) => isAttached(type))) ? only(isAttached) : 0,
    },
    {
      kind: 'results',
      tokens: kept.some(({ blocks }) => blocks.some(({ type }) => type === 'toolCall')) ? calls : 0,
    },
  ];
}

interface ToolGroup {
  /** None: Parley's own. */
  server: { server?: string };
  tools: ModelTool[];
}

function toolGroups(registry: Registry, tools: readonly ModelTool[]): ToolGroup[] {
  const groups = new Map<string | undefined, ModelTool[]>();
  for (const tool of tools) {
    const server = registry.resolve(tool.name)?.info.server;
    groups.set(server, [...(groups.get(server) ?? []), tool]);
  }
  return [...groups].map(([server, tools]) => ({ server: server === undefined ? {} : { server }, tools }));
}

/** Those of servers that are gone are kept in mind, but not sent. */
function countThere(loaded: readonly string[], available: readonly RegisteredTool[]): number {
  return available.filter(({ info }) => loaded.includes(info.modelName)).length;
}

function lastTurn(messages: readonly Message[]): readonly Message[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
}
