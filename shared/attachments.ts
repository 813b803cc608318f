/** What a person puts beside the words of a message: files, long pasted texts, resources of servers. */
import { z } from 'zod';

/** What one request to a language model may carry; told before sending. In bytes, for text in characters. */
export const ATTACHMENT_LIMITS = {
  image: 3_900_000,
  document: 20_000_000,
  attachment: 4_000_000,
  /** Of all images and documents of one message. */
  together: 22_000_000,
  count: 20,
} as const;

const base64 = (bytes: number) => z.string().max(Math.ceil(bytes / 3) * 4);

const named = {
  name: z.string().min(1).max(300),
  /** The resource that it was read from; both untrusted text. */
  from: z.object({ server: z.string(), uri: z.string() }).optional(),
};

export const ImageBlock = z.object({
  type: z.literal('image'),
  ...named,
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: base64(ATTACHMENT_LIMITS.image),
});

export const DocumentBlock = z.object({
  type: z.literal('document'),
  ...named,
  mimeType: z.literal('application/pdf'),
  data: base64(ATTACHMENT_LIMITS.document),
});

export const TextFileBlock = z.object({
  type: z.literal('attachment'),
  ...named,
  mimeType: z.string().max(200).optional(),
  text: z.string().max(ATTACHMENT_LIMITS.attachment),
});

export const Attachment = z.discriminatedUnion('type', [ImageBlock, DocumentBlock, TextFileBlock]);
export type Attachment = z.infer<typeof Attachment>;

export const Attachments = z.array(Attachment).max(ATTACHMENT_LIMITS.count);

/** Its length as a file. */
export function attachmentSize(attachment: Attachment): number {
  if (attachment.type === 'attachment') return new TextEncoder().encode(attachment.text).length;
  return Math.floor((attachment.data.replace(/=+$/, '').length * 3) / 4);
}

export function isAttachment(block: { type: string }): block is Attachment {
  return block.type === 'image' || block.type === 'document' || block.type === 'attachment';
}
