/**
 * The contract between the host and whoever shows it: one table of requests, one of events. Types are derived
 * from the schemas, which the gate (main/electron/ipc.ts) also checks at run time.
 */
import { z } from 'zod';
import { Ask, answerSchemas } from './asks.ts';
import { Attachments } from './attachments.ts';
import {
  Block,
  BranchPart,
  Conversation,
  Delta,
  Draft,
  FoundConversation,
  FoundMessage,
  Message,
  OwnMessage,
  PartPlace,
  Queue,
  ToolResult,
  TurnState,
} from './chat.ts';
import { ContextReport } from './context.ts';
import { ConversationSettings, ModelChoices } from './conversationSettings.ts';
import { ErrorInfo } from './errors.ts';
import { LogEntry, LogLevel } from './logs.ts';
import {
  Completion,
  CompletionRef,
  Offers,
  PromptResult,
  ResourceContents,
  TextArguments,
} from './offers.ts';
import { ConversationRules, ServerDefault, StandingRule } from './rules.ts';
import { ServerConfig, ServerName, ServersFile, ServerView } from './servers.ts';
import { ModelList, ModelStatus, Settings, SettingsPatch } from './settings.ts';
import { ToolInfo, ToolRule } from './tools.ts';
import { TrafficEntry } from './traffic.ts';

const none = z.void();
const byName = z.object({ name: ServerName });
const byConversation = z.object({ conversationId: z.string() });
const byQueued = byConversation.extend({ id: z.string() });
const byMessage = byConversation.extend({ messageId: z.string() });
/** Without an id: the conversation that has no message yet. */
const byPlace = z.object({ conversationId: z.string().optional() });
const written = { text: z.string(), attachments: Attachments.optional() };
const NOTHING = 'There is nothing to send.';
const isSomething = ({ text, attachments = [] }: { text: string; attachments?: unknown[] | undefined }) =>
  text !== '' || attachments.length > 0;
const Answer = z.union(Object.values(answerSchemas));

/** Everything a freshly opened renderer needs. `seq` is the number of the last event it already contains. */
export const Snapshot = z.object({
  seq: z.number(),
  servers: z.array(ServerView),
  serversFile: ServersFile,
  tools: z.array(ToolInfo),
  conversations: z.array(Conversation),
  turns: z.array(TurnState),
  /** Those that are not empty. */
  queues: z.array(Queue),
  asks: z.array(Ask),
  rules: z.array(StandingRule),
  /** Of the conversations that have any. */
  conversationRules: z.array(ConversationRules),
  settings: Settings,
  model: ModelStatus,
  /** Told since the start: a renderer that opens later shows them too. */
  problems: z.array(ErrorInfo),
  app: z.object({ version: z.string(), dataDir: z.string() }),
});
export type Snapshot = z.infer<typeof Snapshot>;

export const requests = {
  snapshot: { input: none, output: Snapshot },

  'servers.add': { input: z.object({ name: ServerName, config: ServerConfig }), output: none },
  /** Values of `env`/`headers` equal to KEPT_VALUE stay as they are in the file. */
  'servers.update': {
    input: z.object({ name: ServerName, newName: ServerName.optional(), config: ServerConfig }),
    output: none,
  },
  'servers.remove': { input: byName, output: none },
  'servers.setEnabled': { input: byName.extend({ enabled: z.boolean() }), output: none },
  'servers.restart': { input: byName, output: none },
  /** Asks the person to sign in, whether they are or not, and connects anew. Returns when that is over. */
  'servers.signIn': { input: byName, output: none },
  /** Takes the tokens back where the authorization server offers that, and forgets them. */
  'servers.signOut': { input: byName, output: none },
  /** Forgets the values of its `${secret:…}` references and connects anew, which asks for them. */
  'servers.forgetSecrets': { input: byName, output: none },
  /** Adds every server of a pasted `{"mcpServers": …}` (or the bare map, or one entry with a name). */
  'servers.importJson': {
    input: z.object({ text: z.string() }),
    output: z.object({ added: z.array(z.string()) }),
  },
  /**
   * What a server wrote and sent to its log, oldest first, or of that only what came in a time (ms since the epoch),
   * and the least level that it is asked for.
   */
  'servers.log': {
    input: byName.extend({ from: z.number().optional(), until: z.number().optional() }),
    output: z.object({ entries: z.array(LogEntry), level: LogLevel }),
  },
  /** From now on, or not any more, `server.logged` tells of what is new in this log. */
  'servers.followLog': { input: byName.extend({ follow: z.boolean() }), output: none },
  'servers.setLogLevel': { input: byName.extend({ level: LogLevel }), output: none },
  /** The messages between Parley and the server, oldest first. */
  'servers.traffic': { input: byName, output: z.object({ entries: z.array(TrafficEntry) }) },
  /** From now on, or not any more, `server.traffic` tells of new messages of this server. */
  'servers.followTraffic': { input: byName.extend({ follow: z.boolean() }), output: none },
  'servers.clearTraffic': { input: byName, output: none },

  /** What a server offers beside tools, read again where that may be out of date. */
  'servers.offers': { input: byName, output: Offers },
  /** `refresh` asks the server even where it called the last answer fresh. */
  'resources.read': {
    input: z.object({ server: z.string(), uri: z.string(), refresh: z.boolean().optional() }),
    output: z.object({ contents: z.array(ResourceContents) }),
  },
  /** The address that a template gives with these values. */
  'resources.expand': {
    input: z.object({ uriTemplate: z.string(), values: TextArguments }),
    output: z.object({ uri: z.string() }),
  },
  /** From now on, or not any more, `resource.updated` tells of changes of this one. */
  'resources.follow': {
    input: z.object({ server: z.string(), uri: z.string(), follow: z.boolean() }),
    output: none,
  },
  'prompts.get': {
    input: z.object({ server: z.string(), name: z.string(), values: TextArguments }),
    output: PromptResult,
  },
  /** Suggestions for one argument; `context` holds the others that are filled in. */
  'completion.complete': {
    input: z.object({
      server: z.string(),
      ref: CompletionRef,
      argument: z.object({ name: z.string(), value: z.string() }),
      context: TextArguments,
    }),
    output: Completion,
  },

  'tools.setEnabled': {
    input: z.object({ server: z.string(), tool: z.string(), enabled: z.boolean() }),
    output: none,
  },
  /** `null`: none of its own, so that the default of its server holds. */
  'tools.setRule': {
    input: z.object({ server: z.string(), tool: z.string(), rule: ToolRule.nullable() }),
    output: none,
  },
  /** What it allows, it allows for the tools that the server has now, as they are now. */
  'tools.setServerDefault': {
    input: z.object({ server: z.string(), rule: ServerDefault }),
    output: none,
  },
  /** Takes back what was allowed for one conversation. */
  'rules.revokeInConversation': {
    input: byConversation.extend({ server: z.string(), tool: z.string() }),
    output: none,
  },

  'conversations.create': { input: none, output: Conversation },
  'conversations.rename': {
    input: byConversation.extend({ title: z.string().trim().min(1).max(200) }),
    output: none,
  },
  'conversations.delete': { input: byConversation, output: none },
  'conversations.mark': {
    input: byConversation.extend({
      pinned: z.boolean().optional(),
      archived: z.boolean().optional(),
      /** null: in no folder. */
      folder: z.string().trim().min(1).max(100).nullable().optional(),
    }),
    output: none,
  },
  /** Replaces them all. */
  'conversations.configure': {
    input: byConversation.extend({ settings: ConversationSettings }),
    output: none,
  },
  /** All of its words, the last one as the beginning of one; `"words in quotes"` stand together. */
  'conversations.search': {
    input: z.object({ query: z.string().max(1000) }),
    output: z.object({ found: z.array(FoundConversation), isCut: z.boolean() }),
  },
  /** At most `count` messages of the branch that is shown, at its end or at a place; none when that is not on it. */
  'conversations.messages': {
    input: byConversation.extend({ count: z.number().int().min(1).max(500), place: PartPlace.optional() }),
    output: BranchPart.optional(),
  },
  /** All that the person wrote on the branch that is shown, oldest first. */
  'conversations.own': { input: byConversation, output: z.array(OwnMessage) },
  /** The messages of the branch that is shown in which a text stands, whatever its case, oldest first. */
  'conversations.find': {
    input: byConversation.extend({ query: z.string().max(1000) }),
    output: z.array(FoundMessage),
  },
  /** Shows the branch on which this message is. Not while a turn runs. */
  'conversations.showMessage': { input: byMessage, output: none },
  /** Deletes it and all that follows it, on every branch. Not while a turn runs. */
  'conversations.deleteFrom': { input: byMessage, output: none },
  /** Copies the conversation up to this message into a new one. */
  'conversations.fork': { input: byMessage, output: Conversation },

  'drafts.get': { input: byPlace, output: Draft },
  /** Keeps what is given; the rest stays. */
  'drafts.save': {
    input: byPlace.extend({ messageId: z.string().optional(), ...Draft.partial().shape }),
    output: none,
  },
  /** The messages of a conversation that are being edited, as far as that has come. */
  'drafts.edits': { input: byConversation, output: z.array(Draft.extend({ messageId: z.string() })) },

  /** Stores the person's message and starts a turn, or queues it while one runs; returns once it is on disk. */
  'chat.send': { input: byConversation.extend(written).refine(isSomething, NOTHING), output: none },
  /** Puts another version of the person's message beside it and starts a turn. */
  'chat.edit': { input: byMessage.extend(written).refine(isSomething, NOTHING), output: none },
  /** Has the model answer this message of the person anew, or write another version of this answer. */
  'chat.regenerate': { input: byMessage, output: none },
  /** Runs the model again from the conversation as it is, after a failure or a cut. */
  'chat.resume': { input: byConversation, output: none },
  'chat.stop': { input: byConversation, output: none },
  /** Stops one call; what it belongs to goes on. A task of a server is cancelled by that. */
  'chat.stopCall': { input: byConversation.extend({ callId: z.string() }), output: none },

  /** Takes a message out of the queue. Returns what it was. */
  'queue.remove': { input: byQueued, output: Draft },
  /** Gives it another place, counted from 0. */
  'queue.move': { input: byQueued.extend({ to: z.number().int().nonnegative() }), output: none },
  /** Stops the turn, if one runs, and sends this message. */
  'queue.sendNow': { input: byQueued, output: none },
  /** Sends what waits for the person, one after another. */
  'queue.goOn': { input: byConversation, output: none },
  'queue.discard': { input: byConversation, output: none },

  /** How full the model's window is; `exact` has the endpoint count the parts. */
  'chat.context': { input: byConversation.extend({ exact: z.boolean() }), output: ContextReport },
  /** Has the messages so far summarised, and with `goOn` answered after that. Returns once it has begun. */
  'chat.summarise': { input: byConversation.extend({ goOn: z.boolean() }), output: none },
  /** Takes a summary back, so that models get the messages again, or uses it again. */
  'chat.useSummary': {
    input: byConversation.extend({
      messageId: z.string(),
      index: z.number().int().nonnegative(),
      use: z.boolean(),
    }),
    output: none,
  },
  /** All of a result of which a message holds the beginning. */
  'chat.result': {
    input: byConversation.extend({ messageId: z.string(), index: z.number().int().nonnegative() }),
    output: ToolResult,
  },
  /** Some characters of a part of it; `part` as `abridged.parts` names it. */
  'chat.resultText': {
    input: byConversation.extend({
      messageId: z.string(),
      index: z.number().int().nonnegative(),
      part: z.string(),
      from: z.number().int().nonnegative(),
      length: z.number().int().positive().max(1_000_000),
    }),
    output: z.object({ text: z.string(), total: z.number().int() }),
  },
  /** What the model is given of a result that is too long for it. */
  'chat.modelSaw': {
    input: byConversation.extend({ messageId: z.string(), index: z.number().int().nonnegative() }),
    output: z.object({ text: z.string() }),
  },

  /** Every call of the conversation runs without a question, until it is switched off or Parley ends. */
  'chat.setFullAuto': { input: byConversation.extend({ on: z.boolean() }), output: none },

  'asks.answer': { input: z.object({ id: z.string(), answer: Answer }), output: none },
  /** Declines what a server itself asks in a conversation; without one, what belongs to none. */
  'asks.declineAll': {
    input: z.object({ server: z.string(), conversationId: z.string().optional() }),
    output: none,
  },
  /** From now on, or not any more, what the server asks there is declined without being shown. */
  'asks.mute': {
    input: z.object({ server: z.string(), conversationId: z.string().optional(), muted: z.boolean() }),
    output: none,
  },

  /**
   * A picture from the internet that an answer refers to, as base64. `once`: the person asked for this one; without it
   * only one from a host whose pictures they always want to see.
   */
  'pictures.load': {
    input: z.object({ url: z.string().max(8000), once: z.boolean() }),
    output: z.object({ mimeType: z.string(), data: z.string() }),
  },

  'settings.update': { input: SettingsPatch, output: none },
  /** Without `acceptPlain`, a machine that cannot encrypt keeps the key for this session only. */
  'model.setKey': {
    input: z.object({ key: z.string().trim().min(1), acceptPlain: z.boolean() }),
    output: none,
  },
  'model.clearKey': { input: none, output: none },
  /** Replaces all extra request headers; KEPT_VALUE keeps a value. */
  'model.setHeaders': { input: z.object({ headers: z.record(z.string(), z.string()) }), output: none },
  'model.list': { input: none, output: ModelList },
  /** What the endpoint says of a model; all that may be tried where it says nothing. */
  'model.choices': { input: z.object({ model: z.string() }), output: ModelChoices },
  /** Sends one tiny request to the endpoint with the current key and model; fails with the reason in words. */
  'model.test': { input: none, output: z.object({ model: z.string() }) },

  /** Desktop only: opens an http(s) or mailto link in the system's own program. */
  'app.openLink': { input: z.object({ url: z.string() }), output: none },
  'app.copyText': { input: z.object({ text: z.string() }), output: none },
  /** Desktop only: opens servers.json in the person's editor. */
  'app.openServersFile': { input: none, output: none },
  /** Desktop only: asks the person where to, and writes `data` (base64) there; false when they do not want it. */
  /** Writes a part of a result, as `chat.resultText` gives it, to a place that the person chooses. */
  'app.saveResult': {
    input: byConversation.extend({
      messageId: z.string(),
      index: z.number().int().nonnegative(),
      part: z.string(),
      name: z.string(),
    }),
    output: z.object({ saved: z.boolean() }),
  },
  'app.saveFile': {
    input: z.object({ name: z.string(), data: z.string() }),
    output: z.object({ saved: z.boolean() }),
  },
  /** Desktop only: asks the person where to, and writes the audit log there. */
  'app.exportAudit': {
    input: none,
    output: z.object({ saved: z.boolean(), entries: z.number(), damaged: z.number() }),
  },
  /** Desktop only: the system's dialog for one folder; no path when the person picked none. */
  /** Asks where to, and writes the conversations there; Markdown is to be read, JSON can be imported again. */
  'app.exportConversations': {
    input: z.object({ ids: z.array(z.string()).min(1), format: z.enum(['markdown', 'json']) }),
    output: z.object({ saved: z.boolean() }),
  },
  /** Asks for a file of Parley, Claude or ChatGPT and takes its conversations in; nothing when none was picked. */
  'app.importConversations': {
    input: none,
    output: z.object({ ids: z.array(z.string()), skipped: z.number() }).optional(),
  },
  /** Asks where to, and writes all conversations, drafts and rules into one file. */
  'app.backUp': { input: none, output: z.object({ saved: z.boolean() }) },
  /** Asks for a backup and says what is in it; nothing when none was picked. */
  'app.pickBackup': {
    input: none,
    output: z.object({ path: z.string(), conversations: z.number(), allowing: z.number() }).optional(),
  },
  /** Starts Parley again with the backup that was picked last in place of what is there, which is kept beside it. */
  'app.restore': { input: none, output: none },
  'app.pickFolder': { input: none, output: z.object({ path: z.string().optional() }) },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

export const events = {
  'server.changed': ServerView,
  /** Of a followed log only, and of a flood only the newest. */
  'server.logged': z.object({ name: z.string(), entries: z.array(LogEntry) }),
  /** Of followed messages only, and of a flood only the newest. */
  'server.traffic': z.object({ name: z.string(), entries: z.array(TrafficEntry) }),
  'server.removed': z.object({ name: z.string() }),
  'serversFile.changed': ServersFile,
  /** A resource that is followed has changed: what was read of it is old. */
  'resource.updated': z.object({ server: z.string(), uri: z.string() }),
  /** The whole list, in the order in which the model sees it. */
  'tools.changed': z.array(ToolInfo),
  'conversation.changed': Conversation,
  'conversation.removed': z.object({ id: z.string() }),
  /** A message was added, or its status or stop reason changed. */
  'message.changed': Message,
  /**
   * Another branch is shown: what comes after the message `after`, or without it from the beginning on. `hasLater`: these
   * are only the first of the messages that follow there.
   */
  'branch.changed': z.object({
    conversationId: z.string(),
    after: z.string().optional(),
    messages: z.array(Message),
    hasLater: z.boolean(),
  }),
  /** Block `index` was added or replaced. */
  'block.changed': z.object({
    conversationId: z.string(),
    messageId: z.string(),
    index: z.number().int().nonnegative(),
    block: Block,
  }),
  'block.delta': Delta,
  'turn.changed': TurnState,
  /** All that waits in one conversation now; none: all of it is sent or gone. */
  'queue.changed': Queue,
  'ask.opened': Ask,
  /** Desktop only: the person came by a notification and wants to see this question. */
  'ask.show': z.object({ id: z.string() }),
  'ask.closed': z.object({ id: z.string() }),
  /** All of them, the newest first. */
  'rules.changed': z.array(StandingRule),
  /** Of one conversation, all that it has now. */
  'conversationRules.changed': ConversationRules,
  'settings.changed': Settings,
  'model.changed': ModelStatus,
  /** Something went wrong that belongs to no request: shown as a passing message. */
  problem: ErrorInfo,
  /** Desktop only: a menu command for the renderer. */
  command: z.enum([
    'newConversation',
    'openSettings',
    'openServers',
    'focusComposer',
    'search',
    'find',
    'outline',
    'stop',
    'summarise',
  ]),
} as const satisfies Record<string, z.ZodType>;

export type RequestName = keyof typeof requests;
export type RequestInput<N extends RequestName> = z.output<(typeof requests)[N]['input']>;
export type RequestOutput<N extends RequestName> = z.output<(typeof requests)[N]['output']>;
export type EventName = keyof typeof events;
export type EventPayload<N extends EventName> = z.output<(typeof events)[N]>;

/** One function for each request of the contract. */
export type Handlers = { [N in RequestName]: (input: RequestInput<N>) => Promise<RequestOutput<N>> };

/** An event as any listener gets it, discriminated by name. */
export type HostEvent = { [N in EventName]: { name: N; payload: EventPayload<N> } }[EventName];

/** An event on its way to a renderer; `seq` has no gaps, so a missed one is noticed. */
export type NumberedEvent = HostEvent & { seq: number };

/** What a request resolves to on the wire: an error crosses as data, never as a thrown object. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: ErrorInfo };

/** What preload puts on `window.parley`. */
export interface Bridge {
  request<N extends RequestName>(name: N, input: RequestInput<N>): Promise<Reply<RequestOutput<N>>>;
  /** Events come together, in their order. Returns the function that ends the subscription. */
  on(listener: (events: NumberedEvent[]) => void): () => void;
}
