/** What the readers of other makers' files share. */
import { ATTACHMENT_LIMITS, type Attachment } from '../../shared/attachments.ts';
import type { PortableMessage } from './portable.ts';

/** Milliseconds since the epoch of an ISO time or of seconds since then; the first that is one, else now. */
export function timeOf(...times: (string | number | null | undefined)[]): number {
  for (const time of times) {
    const ms = typeof time === 'number' ? time * 1000 : Date.parse(time ?? '');
    if (Number.isFinite(ms)) return Math.round(ms);
  }
  return Date.now();
}

/** Its name, else the first words in it. */
export function titleFor(name: string, messages: readonly PortableMessage[]): string {
  const words = messages.flatMap(({ blocks }) =>
    blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])),
  );
  const line = [name, words[0] ?? ''].map(text => text.trim().replace(/\s+/g, ' ')).find(text => text !== '');
  return (line ?? 'Imported conversation').slice(0, 200).toWellFormed();
}

export function textFile(name: string, text: string): Attachment {
  return {
    type: 'attachment',
    name: name.slice(0, 300) || 'file',
    text: text.slice(0, ATTACHMENT_LIMITS.attachment),
  };
}

/** Each message behind the one that it follows; one that leads back to itself begins anew. */
export function inOrder(messages: readonly PortableMessage[]): PortableMessage[] {
  const children = new Map<string | undefined, PortableMessage[]>();
  const ids = new Set(messages.map(({ id }) => id));
  for (const message of messages) {
    const parent = message.parentId !== undefined && ids.has(message.parentId) ? message.parentId : undefined;
    children.set(parent, [...(children.get(parent) ?? []), message]);
  }
  const ordered: PortableMessage[] = [];
  const seen = new Set<string>();
  const take = (from: PortableMessage[]) => {
    const waiting = [...from];
    for (let message = waiting.shift(); message; message = waiting.shift()) {
      if (seen.has(message.id)) continue;
      seen.add(message.id);
      ordered.push(message);
      waiting.unshift(...(children.get(message.id) ?? []));
    }
  };
  take(children.get(undefined) ?? []);
  for (const { parentId: _circular, ...message } of messages) if (!seen.has(message.id)) take([message]);
  return ordered;
}
