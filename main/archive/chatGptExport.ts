/** The conversations in a data export of ChatGPT: trees of nodes under `mapping`. What is not there is left out. */
import { z } from 'zod';
import type { Block } from '../../shared/chat.ts';
import type { PortableConversation, PortableMessage } from './portable.ts';
import { inOrder, timeOf, titleFor } from './reading.ts';

const Said = z.looseObject({
  author: z.looseObject({ role: z.string(), name: z.string().nullish() }),
  create_time: z.number().nullish().catch(undefined),
  content: z.looseObject({ content_type: z.string() }),
  recipient: z.string().nullish().catch(undefined),
  metadata: z.looseObject({}).catch({}),
});
type Said = z.infer<typeof Said>;

const Node = z.looseObject({
  message: z.unknown(),
  parent: z.string().nullish().catch(undefined),
});

const ChatGptConversation = z.looseObject({
  title: z.string().nullish().catch(undefined),
  create_time: z.number().nullish().catch(undefined),
  update_time: z.number().nullish().catch(undefined),
  is_archived: z.boolean().nullish().catch(undefined),
  current_node: z.string().nullish().catch(undefined),
  mapping: z.record(z.string(), z.unknown()),
});

export function isChatGptConversation(value: unknown): boolean {
  return ChatGptConversation.safeParse(value).success;
}

/** Undefined when nothing was said in it. @throws ZodError when it is no such conversation */
export function fromChatGpt(value: unknown): PortableConversation | undefined {
  const conversation = ChatGptConversation.parse(value);
  const nodes = new Map<string, { parent: string | undefined; message: PortableMessage | undefined }>();
  for (const [id, given] of Object.entries(conversation.mapping)) {
    const node = Node.safeParse(given).data;
    nodes.set(id, {
      parent: node?.parent ?? undefined,
      message: node && toMessage(id, node.message, conversation.create_time),
    });
  }
  /** The nearest message at or above a node: nodes of the system and empty ones are passed over. */
  const nearest = (from: string | null | undefined): string | undefined => {
    const seen = new Set<string>();
    for (let id = from ?? undefined; id !== undefined && !seen.has(id); id = nodes.get(id)?.parent) {
      if (nodes.get(id)?.message) return id;
      seen.add(id);
    }
    return undefined;
  };
  const messages = [...nodes.values()].flatMap(({ parent, message }): PortableMessage[] => {
    if (!message) return [];
    const parentId = nearest(parent);
    return [{ ...message, ...(parentId === undefined ? {} : { parentId }) }];
  });
  if (messages.length === 0) return undefined;
  const { messages: joined, renamed } = joinAnswers(inOrder(messages));
  const shown = nearest(conversation.current_node);
  return {
    title: titleFor(conversation.title ?? '', joined),
    createdAt: timeOf(conversation.create_time),
    updatedAt: timeOf(conversation.update_time, conversation.create_time),
    pinned: false,
    archived: conversation.is_archived === true,
    settings: {},
    messages: joined,
    ...(shown === undefined ? {} : { shown: renamed.get(shown) ?? shown }),
  };
}

/** One answer is many nodes there, with what tools said between; here it is one message, unless a branch begins in it. */
function joinAnswers(messages: readonly PortableMessage[]) {
  const followers = new Map<string, number>();
  for (const { parentId } of messages)
    if (parentId !== undefined) followers.set(parentId, (followers.get(parentId) ?? 0) + 1);
  const renamed = new Map<string, string>();
  const kept = new Map<string, PortableMessage>();
  for (const message of messages) {
    const parentId =
      message.parentId === undefined ? undefined : (renamed.get(message.parentId) ?? message.parentId);
    const before = parentId === undefined ? undefined : kept.get(parentId);
    const isOnly = message.parentId !== undefined && followers.get(message.parentId) === 1;
    if (before?.role === 'assistant' && message.role === 'assistant' && isOnly) {
      before.blocks.push(...message.blocks);
      renamed.set(message.id, before.id);
    } else {
      kept.set(message.id, { ...message, ...(parentId === undefined ? {} : { parentId }) });
    }
  }
  return { messages: [...kept.values()], renamed };
}

function toMessage(
  id: string,
  given: unknown,
  began: number | null | undefined,
): PortableMessage | undefined {
  const said = Said.safeParse(given).data;
  if (!said || said.metadata.is_visually_hidden_from_conversation === true) return undefined;
  const { role } = said.author;
  if (role !== 'user' && role !== 'assistant' && role !== 'tool') return undefined;
  const blocks = blocksOf(said);
  if (blocks.length === 0) return undefined;
  const model = said.metadata.model_slug;
  return {
    id,
    role: role === 'user' ? 'user' : 'assistant',
    status: 'complete',
    createdAt: timeOf(said.create_time, began),
    ...(role === 'assistant' && typeof model === 'string' ? { model } : {}),
    blocks,
  };
}

function blocksOf({ author, content, recipient }: Said): Block[] {
  const isForTool = author.role === 'assistant' && typeof recipient === 'string' && recipient !== 'all';
  const text = textOf(content).trim();
  if (text === '') return [];
  if (content.content_type === 'thoughts') return [{ type: 'thinking', text }];
  if (author.role === 'tool') return [{ type: 'text', text: quoted(author.name ?? 'a tool', text) }];
  if (isForTool || content.content_type === 'code')
    return [{ type: 'text', text: `\`\`\`${languageOf(content)}\n${text}\n\`\`\`` }];
  return [{ type: 'text', text }];
}

function textOf(content: Said['content']): string {
  const { content_type, parts, text, result, thoughts } = content;
  if (content_type === 'thoughts' && Array.isArray(thoughts))
    return thoughts.map(thought => String((thought as { content?: unknown })?.content ?? '')).join('\n\n');
  if (Array.isArray(parts)) return parts.map(partOf).filter(Boolean).join('\n\n');
  if (typeof text === 'string') return text;
  return typeof result === 'string' && content_type !== 'reasoning_recap' ? result : '';
}

/** A part is text, or points to a file that is not read. */
function partOf(part: unknown): string {
  if (typeof part === 'string') return part;
  const { content_type: type, text } = (part ?? {}) as { content_type?: unknown; text?: unknown };
  if (typeof text === 'string') return text;
  return typeof type === 'string' ? `*(${type.replaceAll('_', ' ')}, not imported)*` : '';
}

function languageOf({ language }: Said['content']): string {
  return typeof language === 'string' && /^[a-z0-9+#-]+$/i.test(language) && language !== 'unknown'
    ? language
    : '';
}

function quoted(tool: string, text: string): string {
  return `> *${tool}:*\n> ${text.replaceAll('\n', '\n> ')}`;
}
