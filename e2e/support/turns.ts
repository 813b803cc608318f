import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { AnthropicModel, type AnthropicOptions } from '../../main/chat/anthropic.ts';
import { Branches } from '../../main/chat/branches.ts';
import { Conversations } from '../../main/chat/conversations.ts';
import { GuideModel } from '../../main/chat/guide.ts';
import { MessageQueue } from '../../main/chat/messageQueue.ts';
import { Turns } from '../../main/chat/turn.ts';
import { AUDIT_FILE, AuditLog } from '../../main/consent/audit.ts';
import { ConversationGrants } from '../../main/consent/conversationGrants.ts';
import { Policy } from '../../main/consent/policy.ts';
import { HostEvents } from '../../main/events.ts';
import { Registry } from '../../main/tools/registry.ts';
import type { Answer, Ask } from '../../shared/asks.ts';
import type { HostEvent } from '../../shared/ipc.ts';
import { GUIDE, type ToolSearch } from '../../shared/settings.ts';
import { startManager } from './manager.ts';
import { type EndpointOptions, startMessagesEndpoint } from './messagesEndpoint.ts';

export interface TurnsOptions {
  /** Where the model answers; without it the Guide does. */
  endpoint?: Partial<AnthropicOptions> & { baseUrl: string };
  model?: string;
  dataDir?: string;
  /** When earlier messages are summarised, in percent of the window. */
  compactAt?: number;
  toolSearch?: ToolSearch;
  /** Does not wait until no server is connecting any more. */
  unsettled?: boolean;
  /** Answers questions as they come; undefined leaves one open. */
  answer?: (ask: Ask) => Answer | undefined;
}

/** Turns over real servers, with everything a test wants to look at. Ends with the test. */
export async function startTurns(mcpServers: Record<string, unknown>, options: TurnsOptions = {}) {
  const bench = await startManager(mcpServers, options.dataDir ? { dataDir: options.dataDir } : {});
  const { manager, asks, db } = bench;
  const hostEvents = new HostEvents();
  const { emit } = hostEvents;
  const events: HostEvent[] = [];
  hostEvents.on(event => events.push(event));
  const policy = new Policy(db);
  const grants = new ConversationGrants(emit);
  const audit = new AuditLog(join(bench.dataDir, AUDIT_FILE), { emit, hide: text => text });
  const registry = new Registry({ manager, policy, db, emit });
  const conversations = new Conversations(db, emit);
  const settings = { model: options.model ?? 'claude-opus-5-5', maxTokens: 1000 };
  const endpoint =
    options.endpoint && new AnthropicModel({ apiKey: 'sk-test', headers: {}, ...options.endpoint });
  const chatModel = endpoint ?? new GuideModel({ registry, asks });
  const modelFor = (own: string | undefined) => ({
    ...settings,
    chatModel,
    ...(endpoint ? (own === undefined ? {} : { model: own }) : { model: GUIDE }),
  });
  const turns = new Turns({
    conversations,
    registry,
    policy,
    grants,
    asks,
    audit,
    manager,
    emit,
    modelFor,
    compactAt: () => options.compactAt,
    toolSearch: () => options.toolSearch ?? 'automatic',
  });
  const branches = new Branches({ db, conversations, emit });
  const queue = new MessageQueue({ db, turns, emit });
  const answer = options.answer ?? (ask => (ask.kind === 'approval' ? { action: 'allow' } : undefined));
  const stopAnswering = answering(asks, answer);
  if (!options.unsettled) await manager.settled();
  const conversation = conversations.create();
  const close = async () => {
    stopAnswering();
    await turns.close();
    registry.close();
    audit.flush();
    await bench.close();
  };
  onTestFinished(close);
  return {
    ...bench,
    events,
    policy,
    grants,
    audit,
    registry,
    conversations,
    conversation,
    settings,
    modelFor,
    turns,
    branches,
    queue,
    /** Resolves when the conversation is at rest. */
    idle: () =>
      vi.waitFor(() => vi.waitUntil(() => turns.states().length === 0, { timeout: 20_000, interval: 5 })),
    messages: () => conversations.messages(conversation.id),
    /** Sends and waits for the end of the turn; the last message. */
    async say(text: string) {
      await turns.send(conversation.id, text);
      await vi.waitUntil(() => turns.states().length === 0, { timeout: 20_000, interval: 5 });
      return conversations.messages(conversation.id).at(-1);
    },
    close,
  };
}

/** A scripted endpoint and turns that talk to it. */
export async function startWithEndpoint(
  options: Partial<TurnsOptions> &
    Pick<EndpointOptions, 'nameLimit' | 'abilities' | 'title' | 'models' | 'counts'> & {
      servers?: Record<string, unknown>;
    } = {},
) {
  const { nameLimit, abilities, title, models, counts } = options;
  const endpoint = await startMessagesEndpoint({
    ...(nameLimit === undefined ? {} : { nameLimit }),
    ...(abilities === undefined ? {} : { abilities }),
    ...(title === undefined ? {} : { title }),
    ...(models === undefined ? {} : { models }),
    ...(counts === undefined ? {} : { counts }),
  });
  onTestFinished(() => endpoint.close());
  const bench = await startTurns(options.servers ?? {}, {
    endpoint: { baseUrl: endpoint.url, retry: { attempts: 4, firstPauseMs: 1, longestPauseMs: 4 } },
    ...options,
  });
  return { ...bench, endpoint };
}

function answering(
  asks: Awaited<ReturnType<typeof startManager>>['asks'],
  answer: (ask: Ask) => Answer | undefined,
): () => void {
  const answered = new Set<string>();
  const timer = setInterval(() => {
    for (const ask of asks.pending()) {
      if (answered.has(ask.id)) continue;
      const given = answer(ask);
      if (!given) continue;
      answered.add(ask.id);
      asks.answer(ask.id, given);
    }
  }, 5);
  return () => clearInterval(timer);
}
