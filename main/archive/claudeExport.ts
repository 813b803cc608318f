/** The conversations in a data export of Claude: an array with `chat_messages`. Other makers' files vary: what is not there is left out. */
import { z } from 'zod';
import type { Attachment } from '../../shared/attachments.ts';
import type { Block, ToolCallBlock, ToolResult } from '../../shared/chat.ts';
import { JsonObject } from '../../shared/tools.ts';
import type { PortableConversation, PortableMessage } from './portable.ts';
import { inOrder, textFile, timeOf, titleFor } from './reading.ts';

const Content = z.looseObject({ type: z.string() });
type Content = z.infer<typeof Content>;

const ClaudeMessage = z.looseObject({
  uuid: z.string(),
  sender: z.enum(['human', 'assistant']),
  text: z.string().catch(''),
  content: z.array(Content).catch([]),
  created_at: z.string().optional().catch(undefined),
  parent_message_uuid: z.string().nullish().catch(undefined),
  attachments: z.array(z.looseObject({})).catch([]),
  files: z.array(z.looseObject({})).catch([]),
});
type ClaudeMessage = z.infer<typeof ClaudeMessage>;

const ClaudeConversation = z.looseObject({
  name: z.string().catch(''),
  created_at: z.string().optional().catch(undefined),
  updated_at: z.string().optional().catch(undefined),
  chat_messages: z.array(z.unknown()),
});

export function isClaudeConversation(value: unknown): boolean {
  return ClaudeConversation.safeParse(value).success;
}

/** Undefined when nothing was said in it. @throws ZodError when it is no such conversation */
export function fromClaude(value: unknown): PortableConversation | undefined {
  const { name, created_at, updated_at, chat_messages } = ClaudeConversation.parse(value);
  const known = chat_messages.flatMap(message => ClaudeMessage.safeParse(message).data ?? []);
  const ids = new Set(known.map(({ uuid }) => uuid));
  const messages = known.map((message, index): PortableMessage => {
    // Older exports are one line, without parents; the first of newer ones follows a message that is not there.
    const { parent_message_uuid: named } = message;
    const parentId =
      named === undefined || named === null ? known[index - 1]?.uuid : ids.has(named) ? named : undefined;
    return {
      id: message.uuid,
      ...(parentId === undefined ? {} : { parentId }),
      role: message.sender === 'human' ? 'user' : 'assistant',
      status: 'complete',
      createdAt: timeOf(message.created_at, created_at),
      blocks: [...attachmentsOf(message), ...blocksOf(message)],
    };
  });
  if (messages.length === 0) return undefined;
  return {
    title: titleFor(name, messages),
    createdAt: timeOf(created_at),
    updatedAt: timeOf(updated_at, created_at),
    pinned: false,
    archived: false,
    settings: {},
    messages: inOrder(messages),
  };
}

function attachmentsOf({ attachments, files }: ClaudeMessage): Block[] {
  const texts = attachments.flatMap((file): Attachment[] =>
    typeof file.extracted_content === 'string' && file.extracted_content !== ''
      ? [textFile(String(file.file_name ?? 'attachment'), file.extracted_content)]
      : [],
  );
  // The files themselves are in no export.
  const named = files.map(({ file_name }) =>
    textFile(String(file_name ?? 'file'), 'This file is not in the export.'),
  );
  return [...texts, ...named];
}

function blocksOf({ content, text, sender }: ClaudeMessage): Block[] {
  const results = content.filter(({ type }) => type === 'tool_result');
  const blocks = content.flatMap((item, index): Block[] => {
    switch (item.type) {
      case 'text':
        return typeof item.text === 'string' && item.text !== '' ? [{ type: 'text', text: item.text }] : [];
      case 'thinking':
        return typeof item.thinking === 'string' && item.thinking !== ''
          ? [{ type: 'thinking', text: item.thinking }]
          : [];
      case 'tool_use':
        return sender === 'assistant'
          ? [toCall(item, resultOf(item, content.slice(index + 1), results))]
          : [];
      default:
        return [];
    }
  });
  if (blocks.length > 0) return blocks;
  return text === '' ? [] : [{ type: 'text', text }];
}

/** By its id where there is one, else the next result in the message. */
function resultOf(
  call: Content,
  after: readonly Content[],
  results: readonly Content[],
): Content | undefined {
  if (typeof call.id === 'string') {
    const named = results.find(({ tool_use_id }) => tool_use_id === call.id);
    if (named) return named;
  }
  const next = after.find(({ type }) => type === 'tool_use' || type === 'tool_result');
  return next?.type === 'tool_result' ? next : undefined;
}

function toCall(call: Content, result: Content | undefined): ToolCallBlock {
  const name = typeof call.name === 'string' && call.name !== '' ? call.name : 'tool';
  return {
    type: 'toolCall',
    id: typeof call.id === 'string' ? call.id : 'imported',
    modelName: name,
    tool: name,
    input: JsonObject.safeParse(call.input).data ?? {},
    status: result ? (result.is_error === true ? 'failed' : 'done') : 'interrupted',
    ...(result ? { result: toResult(result) } : {}),
  };
}

const Parts = z.array(z.looseObject({ type: z.string() }));

function toResult({ content, is_error }: Content): ToolResult {
  const parts =
    typeof content === 'string' ? [{ type: 'text', text: content }] : (Parts.safeParse(content).data ?? []);
  return { content: parts, ...(is_error === true ? { isError: true } : {}) };
}
