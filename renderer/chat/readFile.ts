import { ATTACHMENT_LIMITS, type Attachment, attachmentSize } from '../../shared/attachments.ts';
import { HostError } from '../../shared/errors.ts';
import { imageType, sizeInWords, toBase64 } from '../ui/media.ts';
import { fitPicture } from './fitPicture.ts';

/**
 * A file that a person picked, as what a model can take in: told by its bytes, not by its name.
 * @throws HostError with the reason when it is too big or of a kind that no model reads
 */
export async function readFile(file: File): Promise<Attachment> {
  const name = file.name.slice(0, 300) || 'Pasted file';
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  const mimeType = imageType(toBase64(head));
  if (mimeType) {
    const picture = await fitPicture(file, mimeType);
    checkSize(name, picture.data.size, 'image', 'a picture');
    return { type: 'image', name, mimeType: picture.mimeType, data: await dataOf(picture.data) };
  }
  if (new TextDecoder('latin1').decode(head).startsWith('%PDF-')) {
    checkSize(name, file.size, 'document', 'a document');
    return { type: 'document', name, mimeType: 'application/pdf', data: await dataOf(file) };
  }
  checkSize(name, file.size, 'attachment', 'a text');
  const text = decoded(new Uint8Array(await file.arrayBuffer()));
  if (text === undefined) {
    const hint = 'Pictures (PNG, JPEG, GIF, WebP), PDF documents and text files can be attached.';
    throw new HostError('attachment.kind', `“${name}” is of a kind that no model reads.`, hint);
  }
  return {
    type: 'attachment',
    name,
    ...(file.type === '' ? {} : { mimeType: file.type.slice(0, 200) }),
    text: wellFormed(text),
  };
}

/** @throws HostError when all of them are more than one message may carry */
export function checkTogether(attachments: readonly Attachment[]): void {
  const { count, together } = ATTACHMENT_LIMITS;
  const hint = 'Remove something, or send it in two messages.';
  if (attachments.length > count)
    throw new HostError('attachment.count', `A message carries up to ${count} attachments.`, hint);
  const size = attachments.reduce((sum, one) => sum + attachmentSize(one), 0);
  if (size <= together) return;
  const message = `The attachments are ${sizeInWords(size)} together; a message carries up to ${sizeInWords(together)}.`;
  throw new HostError('attachment.together', message, hint);
}

/** Unix line ends, and nothing that cannot be encoded. */
export function wellFormed(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\u0000', '').toWellFormed();
}

function checkSize(name: string, size: number, kind: Attachment['type'], what: string): void {
  const most = ATTACHMENT_LIMITS[kind];
  if (size <= most) return;
  const message = `“${name}” is ${sizeInWords(size)}; ${what} may have up to ${sizeInWords(most)}.`;
  throw new HostError('attachment.size', message, 'Make it smaller, or attach a part of it.');
}

async function dataOf(file: Blob): Promise<string> {
  return toBase64(new Uint8Array(await file.arrayBuffer()));
}

/** Undefined for what is no text. */
function decoded(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\u0000') ? undefined : text;
  } catch {
    return undefined; // Not in that encoding.
  }
}
