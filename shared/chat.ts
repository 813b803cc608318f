import { z } from 'zod';
import { Attachments, DocumentBlock, ImageBlock, TextFileBlock } from './attachments.ts';
import { ConversationSettings } from './conversationSettings.ts';
import { ErrorInfo } from './errors.ts';
import { JsonObject } from './tools.ts';
import { Usage } from './usage.ts';

/** A CallToolResult as the server sent it, kept whole. `content` items are untrusted and of any type. */
export const ToolResult = z.object({
  content: z.array(z.looseObject({ type: z.string() })),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;

/**
 * The life of a call. waiting: a person is asked. denied: by a person or a rule. cancelled: by Stop.
 * interrupted: Parley ended while it ran; its outcome is unknown.
 */
export const ToolCallStatus = z.enum([
  'pending',
  'waiting',
  'running',
  'done',
  'failed',
  'denied',
  'cancelled',
  'interrupted',
]);
export type ToolCallStatus = z.infer<typeof ToolCallStatus>;

export const TextBlock = z.object({ type: z.literal('text'), text: z.string() });

/** Goes back to the model that made it exactly as received, or not at all. */
export const ThinkingBlock = z.object({
  type: z.literal('thinking'),
  text: z.string(),
  /** Absent while unfinished: such a block is never sent back. */
  signature: z.string().optional(),
});

/** Work that a server goes on with by itself; with its id one can ask how it is, also after a restart. */
export const TaskHandle = z.object({
  id: z.string(),
  /** When the server began, as an ISO time. */
  createdAt: z.string(),
  /** How long after that the server keeps it, in ms; null: without end. */
  ttlMs: z.number().nullable(),
  pollIntervalMs: z.number().optional(),
  /** How it is going, in the server's words. */
  message: z.string().optional(),
  /** It waits for an answer of the person. */
  waiting: z.boolean(),
});
export type TaskHandle = z.infer<typeof TaskHandle>;

export const ToolCallBlock = z.object({
  type: z.literal('toolCall'),
  /** The model's id for this call. */
  id: z.string(),
  modelName: z.string(),
  /** Absent when the model asked for a tool that is not in the registry. */
  server: z.string().optional(),
  tool: z.string().optional(),
  title: z.string().optional(),
  /** The arguments in the model's spelling, as it must see them again. */
  input: JsonObject,
  /** What was really sent to the server (true property names, nulls resolved); set when the call starts. */
  args: JsonObject.optional(),
  /** The person changed the arguments before they allowed the call: `args` are theirs. */
  edited: z.boolean().optional(),
  status: ToolCallStatus,
  progress: z
    .object({
      progress: z.number(),
      total: z.number().optional(),
      message: z.string().optional(),
      /** When the server last said something, in ms since the epoch. */
      at: z.number().optional(),
    })
    .optional(),
  /** The call runs on the server as a task. */
  task: TaskHandle.optional(),
  result: ToolResult.optional(),
  /**
   * `result` is only the beginning: it has about `length` characters. `parts`: how long those are of which something is
   * left out, by their place in `content` or as `structured`; `left`: how many further parts there are.
   */
  abridged: z
    .object({
      length: z.number().int(),
      parts: z.record(z.string(), z.number().int()),
      left: z.number().int(),
    })
    .optional(),
  /** The model is given only `limit` of its `total` characters; laid down when it came, so that prompts stay the same. */
  cutForModel: z.object({ limit: z.number().int(), total: z.number().int() }).optional(),
  /** Instead of a result: why there is none. */
  error: ErrorInfo.optional(),
  startedAt: z.number().optional(),
  durationMs: z.number().optional(),
});
export type ToolCallBlock = z.infer<typeof ToolCallBlock>;

/** Something Parley says about the turn: a retry, a refusal, a cut answer, tools that came or went. */
export const NoticeBlock = z.object({
  type: z.literal('notice'),
  level: z.enum(['info', 'warning', 'error']),
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
});
export type NoticeBlock = z.infer<typeof NoticeBlock>;

/** Stands for all messages up to and with `upTo` in what models are sent; those stay where they are. */
export const SummaryBlock = z.object({
  type: z.literal('summary'),
  text: z.string(),
  upTo: z.string(),
  /** The person has taken it back. */
  undone: z.boolean().optional(),
  /** Who wrote it, and what that took. */
  model: z.string(),
  usage: Usage.optional(),
});
export type SummaryBlock = z.infer<typeof SummaryBlock>;

/** A provider block we do not show but must give back unchanged (redacted thinking, server-side tools, …). */
export const OpaqueBlock = z.object({ type: z.literal('opaque'), raw: JsonObject });

export const Block = z.discriminatedUnion('type', [
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  NoticeBlock,
  SummaryBlock,
  OpaqueBlock,
  ImageBlock,
  DocumentBlock,
  TextFileBlock,
]);
export type Block = z.infer<typeof Block>;

/**
 * One entry of a conversation: what a person wrote, or one response of a model. An assistant message holds its
 * tool calls together with their results, so a call without a result cannot be stored by accident.
 */
export const Message = z.object({
  id: z.string(),
  conversationId: z.string(),
  /** What it follows; absent on the first message. */
  parentId: z.string().optional(),
  /** The ids of all messages in this place, itself among them, the oldest first; absent when there is no other. */
  versions: z.array(z.string()).optional(),
  role: z.enum(['user', 'assistant']),
  blocks: z.array(Block),
  createdAt: z.number(),
  /** streaming: being written. complete: ended as the model meant. incomplete: cut, stopped or failed. */
  status: z.enum(['streaming', 'complete', 'incomplete']),
  /** Which model answered. */
  model: z.string().optional(),
  /** The provider's raw reason, such as `end_turn`. */
  stopReason: z.string().optional(),
  /** What its request took; absent where the endpoint did not say. */
  usage: Usage.optional(),
});
export type Message = z.infer<typeof Message>;

/** Before, behind or on both sides of a message. */
export const PartPlace = z.object({ side: z.enum(['before', 'after', 'around']), messageId: z.string() });
export type PartPlace = z.infer<typeof PartPlace>;

/** Some of the messages of the branch that is shown, one behind the other, and whether there are more. */
export const BranchPart = z.object({
  messages: z.array(Message),
  hasEarlier: z.boolean(),
  hasLater: z.boolean(),
});
export type BranchPart = z.infer<typeof BranchPart>;

/** One that the person wrote, by its first line. */
export const OwnMessage = z.object({ messageId: z.string(), at: z.number(), beginning: z.string() });
export type OwnMessage = z.infer<typeof OwnMessage>;

/** A message in which a text was found, and the places of the blocks that hold it. */
export const FoundMessage = z.object({ messageId: z.string(), blocks: z.array(z.number()) });
export type FoundMessage = z.infer<typeof FoundMessage>;

export const Conversation = z.object({
  id: z.string(),
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Kept at the top of the list. */
  pinned: z.boolean(),
  /** Out of the list, but not gone. */
  archived: z.boolean(),
  /** Where it is listed; absent: in none. */
  folder: z.string().optional(),
  settings: ConversationSettings,
});
export type Conversation = z.infer<typeof Conversation>;

/** A piece of a text, with the words that were looked for marked. */
export const Excerpt = z.array(z.object({ text: z.string(), isHit: z.boolean() }));
export type Excerpt = z.infer<typeof Excerpt>;

/** A conversation in which something was found: in its title, or in messages of it, the newest first. */
export const FoundConversation = z.object({
  conversation: Conversation,
  title: Excerpt,
  messages: z.array(z.object({ messageId: z.string(), role: Message.shape.role, excerpt: Excerpt })),
  /** How many more messages of it have been found. */
  more: z.number(),
});
export type FoundConversation = z.infer<typeof FoundConversation>;

/** What a conversation is doing right now. Absent from `Snapshot.turns` = idle. */
export const TurnState = z.object({
  conversationId: z.string(),
  phase: z.enum(['thinking', 'streaming', 'tools', 'summarising', 'retrying', 'idle']),
  /** When `retrying`: why, and when the next attempt starts (ms since the epoch). */
  retry: z.object({ reason: z.string(), at: z.number(), attempt: z.number() }).optional(),
});
export type TurnState = z.infer<typeof TurnState>;

/** Text appended to block `index` of a streaming message. */
export const Delta = z.object({
  conversationId: z.string(),
  messageId: z.string(),
  index: z.number().int().nonnegative(),
  /** input: raw JSON text of a tool call's arguments, for display while it is written. */
  kind: z.enum(['text', 'thinking', 'input']),
  text: z.string(),
});
export type Delta = z.infer<typeof Delta>;

/** What a person has written but not sent. */
export const Draft = z.object({ text: z.string(), attachments: Attachments });
export type Draft = z.infer<typeof Draft>;

export const QueuedMessage = Draft.extend({ id: z.string() });
export type QueuedMessage = z.infer<typeof QueuedMessage>;

/** What was sent while a turn ran and has not had its turn yet. Absent from `Snapshot.queues` = empty. */
export const Queue = z.object({
  conversationId: z.string(),
  /** It waits for the person: a turn was stopped or has failed, or Parley was started anew. */
  held: z.boolean(),
  messages: z.array(QueuedMessage),
});
export type Queue = z.infer<typeof Queue>;
