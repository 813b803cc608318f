import { isAttachment } from '../../shared/attachments.ts';
import type { Block, ToolCallBlock, ToolResult } from '../../shared/chat.ts';
import { GUIDE } from '../../shared/settings.ts';
import type { PortableMessage } from './portable.ts';

/** A conversation to be read elsewhere: the words as they are, calls with their arguments and results. */
export function toMarkdown(title: string, messages: readonly PortableMessage[]): string {
  const parts = messages.map(message =>
    [`## ${speaker(message)}`, ...message.blocks.map(blockToMarkdown)].filter(Boolean).join('\n\n'),
  );
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
}

function speaker({ role, model, createdAt }: PortableMessage): string {
  const who = role === 'user' ? 'You' : model === GUIDE ? 'Guide' : `Assistant${model ? ` (${model})` : ''}`;
  return `${who}, ${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Empty for what is not for readers: thinking, and a provider's own blocks. */
function blockToMarkdown(block: Block): string {
  if (isAttachment(block)) {
    const text = block.type === 'attachment' ? `\n\n${fenced(block.text)}` : '';
    return `*Attached: ${block.name}*${text}`;
  }
  switch (block.type) {
    case 'text':
      return block.text;
    case 'toolCall':
      return callToMarkdown(block);
    case 'notice':
      return `> ${[block.message, block.hint].filter(Boolean).join(' ').replaceAll('\n', '\n> ')}`;
    default:
      return '';
  }
}

function callToMarkdown(call: ToolCallBlock): string {
  const name = [call.server, call.tool ?? call.modelName].filter(Boolean).join(' › ');
  return [
    `**Tool: ${name}** (${call.status})`,
    fenced(JSON.stringify(call.args ?? call.input, null, 2), 'json'),
    ...(call.error ? [`Error: ${call.error.message}`] : []),
    ...(call.result ? resultToMarkdown(call.result) : []),
  ].join('\n\n');
}

function resultToMarkdown({ content, structuredContent }: ToolResult): string[] {
  const parts = content.map(item => {
    if (item.type === 'text' && typeof item.text === 'string') return fenced(item.text);
    const uri = (item.resource as { uri?: unknown } | undefined)?.uri ?? item.uri;
    return `*${item.type}${typeof uri === 'string' ? `: ${uri}` : ''}*`;
  });
  return structuredContent === undefined || parts.length > 0
    ? parts
    : [fenced(JSON.stringify(structuredContent, null, 2), 'json')];
}

/** In a fence that is longer than any in the text. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
