import type { Attachment } from '../../shared/attachments.ts';
import type { PromptResult } from '../../shared/offers.ts';
import { attachmentOf } from './readResource.ts';

/**
 * The messages of a prompt as what a person could have written: their words, and what they hold as attachments. What is
 * only linked to is named, not fetched.
 * @throws HostError when they hold something that no model reads
 */
export async function promptParts(server: string, messages: PromptResult['messages']) {
  const several = messages.some(({ role }) => role === 'assistant');
  const words: string[] = [];
  const attachments: Attachment[] = [];
  for (const { role, content } of messages) {
    const prefix = several ? (role === 'user' ? 'User: ' : 'Assistant: ') : '';
    const { type, mimeType } = content;
    if (type === 'text') words.push(prefix + textOf(content.text));
    else if (type === 'resource_link')
      words.push(`${prefix}${textOf(content.name)} (${textOf(content.uri)})`);
    else if (type === 'resource') {
      const { uri, ...part } = (content.resource ?? {}) as { uri?: string; text?: string; blob?: string };
      attachments.push(await attachmentOf(server, { ...part, uri: textOf(uri) }, textOf(uri)));
    } else {
      const part = { uri: '', mimeType: textOf(mimeType), blob: textOf(content.data) };
      const { from: _none, ...one } = await attachmentOf(server, part, `${type} of a prompt`);
      attachments.push(one);
    }
  }
  return { text: words.join('\n\n'), attachments };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
