import type { Message } from '../../shared/chat.ts';

/** The ids of the messages in whose written text a query stands, whatever its case, in their order. */
export function findMessages(messages: readonly Message[], query: string): string[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  return messages
    .filter(({ blocks }) =>
      blocks.some(block => block?.type === 'text' && block.text.toLowerCase().includes(wanted)),
    )
    .map(({ id }) => id);
}
