/** What servers and models sent, as text for a terminal. */
import type { Message, NoticeBlock, ToolCallBlock } from '../../shared/chat.ts';
import { toModelContent } from '../tools/result.ts';
import { exact, oneLine, printable, printableJson } from './plainText.ts';

/** What a model would read of a result; pictures are named, not drawn. */
export function showContent(content: ReturnType<typeof toModelContent>): string {
  return content
    .map(part =>
      part.type === 'text'
        ? printable(part.text)
        : `[${oneLine(part.mimeType)}, ${Math.ceil((part.data.length * 3) / 4 / 1024)} kB]`,
    )
    .join('\n');
}

/** The answer in a message: its text, or, when a model wrote none, the results of its calls. */
export function showAnswer(message: Message | undefined): string {
  const blocks = message?.blocks ?? [];
  const texts = blocks.flatMap(block => (block.type === 'text' ? printable(block.text).trim() : []));
  if (texts.some(text => text !== '')) return texts.join('\n\n');
  return blocks
    .flatMap(block =>
      block.type === 'toolCall' && block.result ? showContent(toModelContent(block.result)) : [],
    )
    .join('\n');
}

/** One line about a call, as it goes on; undefined where there is nothing to say. */
export function showCall(call: ToolCallBlock): string | undefined {
  const name =
    call.server === undefined ? oneLine(call.modelName) : `${exact(call.server)} · ${exact(call.tool ?? '')}`;
  switch (call.status) {
    case 'running': {
      const { progress, task } = call;
      if (task?.message !== undefined) return `  ${oneLine(task.message)}`;
      if (!progress) return `→ ${name} ${oneLine(printableJson(call.args ?? call.input))}`;
      const of = progress.total === undefined ? '' : ` of ${progress.total}`;
      return `  ${progress.progress}${of}${progress.message === undefined ? '' : `: ${oneLine(progress.message)}`}`;
    }
    case 'done':
      return `← ${call.result ? oneLine(showContent(toModelContent(call.result))) : name}`;
    case 'failed': {
      const said = call.result ? showContent(toModelContent(call.result)) : (call.error?.message ?? '');
      return `✗ ${name}: ${oneLine(said)}${call.error?.hint === undefined ? '' : ` ${oneLine(call.error.hint)}`}`;
    }
    case 'denied':
      return `✗ ${name}: not allowed`;
    case 'cancelled':
    case 'interrupted':
      return `✗ ${name}: stopped`;
    case 'pending':
    case 'waiting':
      return undefined;
  }
}

export function showNotice({ level, message, hint }: NoticeBlock): string {
  return `${level === 'info' ? 'i' : '!'} ${oneLine(message, 1_000)}${hint === undefined ? '' : `\n  ${oneLine(hint, 1_000)}`}`;
}
