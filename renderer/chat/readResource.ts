import type { Attachment } from '../../shared/attachments.ts';
import { HostError } from '../../shared/errors.ts';
import type { ResourceContents } from '../../shared/offers.ts';
import { request } from '../stores/host.ts';
import { readFile } from './readFile.ts';

/**
 * What a resource holds, as attachments that say where they are from.
 * @throws HostError as its server says, or when no model reads such a thing
 */
export async function readResource(server: string, uri: string, name: string): Promise<Attachment[]> {
  const { contents } = await request('resources.read', { server, uri });
  if (contents.length === 0)
    throw new HostError('attachment.empty', `There is nothing in “${uri}”.`, 'Pick another resource.');
  return Promise.all(contents.map(part => attachmentOf(server, { ...part, uri: part.uri || uri }, name)));
}

/** One part of a resource. @throws HostError when no model reads such a thing */
export async function attachmentOf(
  server: string,
  part: ResourceContents,
  name: string,
): Promise<Attachment> {
  const file = new File([bodyOf(part)], name || part.uri, { type: part.mimeType ?? '' });
  return { ...(await readFile(file)), from: { server, uri: part.uri } };
}

function bodyOf({ text, blob, uri }: ResourceContents): BlobPart {
  if (text !== undefined) return text;
  try {
    return Uint8Array.from(atob(blob ?? ''), character => character.charCodeAt(0));
  } catch {
    throw new HostError('attachment.data', `What the server sent for “${uri}” cannot be read.`);
  }
}
