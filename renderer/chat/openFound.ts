import type { FoundMessage, Message } from '../../shared/chat.ts';
import { keep } from '../stores/kept.ts';
import { groupCalls } from './callGroups.ts';

/** Opens what hides a text that was found: the thinking, the card of the call and the group that it is in. */
export function openFound({ id, blocks }: Message, found: FoundMessage): void {
  const places = new Set(found.blocks);
  for (const part of groupCalls(blocks)) {
    const isHit = (at: number) => places.has(part.index + at);
    if (!('calls' in part)) {
      if (isHit(0) && part.block?.type === 'thinking') keep(`thinking ${id} ${part.index}`, true);
      if (isHit(0) && part.block?.type === 'toolCall') keep(`card ${id} ${part.index}`, true);
      continue;
    }
    const hits = part.calls.flatMap((_call, at) => (isHit(at) ? [part.index + at] : []));
    if (hits.length > 0) keep(`group ${id} ${part.index}`, true);
    for (const hit of hits) keep(`card ${id} ${hit}`, true);
  }
}
