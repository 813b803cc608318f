import type { ContentBlockParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { type Attachment, attachmentSize } from '../../shared/attachments.ts';
import { imageProblem, readImage } from '../tools/imageType.ts';

/** An attachment as the model gets it; what it cannot be given is described, so that no request fails for it. */
export function toAttachmentParams(
  attachment: Attachment,
  takes: { images: boolean; documents: boolean },
): ContentBlockParam[] {
  switch (attachment.type) {
    case 'attachment':
      return [label(attachment, attachment.text.trim() === '' ? '(empty)' : attachment.text)];
    case 'image': {
      const known = takes.images ? readImage(attachment.data) : undefined;
      if (!known || imageProblem(known)) return [placeholder(attachment)];
      const { data, mimeType } = known;
      const source = { type: 'base64' as const, media_type: mimeType as 'image/png', data };
      return [label(attachment), { type: 'image', source }];
    }
    case 'document': {
      const { data, mimeType: media_type } = attachment;
      if (!takes.documents || !isPdf(data)) return [placeholder(attachment)];
      return [label(attachment), { type: 'document', source: { type: 'base64', media_type, data } }];
    }
  }
}

function label(attachment: Attachment, text = ''): TextBlockParam {
  return { type: 'text', text: `(attached by the person: ${described(attachment)})\n${text}`.trimEnd() };
}

function placeholder(attachment: Attachment): TextBlockParam {
  const what = `${described(attachment)}, ${attachmentSize(attachment)} bytes`;
  return { type: 'text', text: `(attached by the person, but the model cannot be given it: ${what})` };
}

function described({ name, mimeType, from }: Attachment): string {
  const source = from ? `, resource ${from.uri} of the server “${from.server}”` : '';
  return `“${name}”${mimeType ? `, ${mimeType}` : ''}${source}`;
}

function isPdf(base64: string): boolean {
  return base64.startsWith('JVBERi') && base64.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(base64);
}
