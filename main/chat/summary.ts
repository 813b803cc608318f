/** Which part of a conversation a summary stands for. */
import type { Block, Message, SummaryBlock } from '../../shared/chat.ts';

/** The conversation as it goes to a model: what the last summary stands for, and the messages after that. */
export interface Summarised {
  summary: SummaryBlock | undefined;
  /** What the summary stands for, the oldest first. */
  older: readonly Message[];
  kept: readonly Message[];
}

export function summarised(messages: readonly Message[]): Summarised {
  for (const [place, message] of [...messages.entries()].reverse()) {
    const summary = message.blocks.findLast(isUsed);
    const upTo = summary ? messages.findIndex(({ id }) => id === summary.upTo) : -1;
    if (summary && upTo >= 0 && upTo <= place)
      return { summary, older: messages.slice(0, upTo + 1), kept: messages.slice(upTo + 1) };
  }
  return { summary: undefined, older: [], kept: messages };
}

/** A summary that the person has not taken back. */
export function isUsed(block: Block): block is SummaryBlock {
  return block.type === 'summary' && !block.undone;
}

/** In characters. */
const MOST_OF_THE_REQUEST = 8000;

/** What stands for the older part. */
export function summaryText({ summary, older, kept }: Summarised): string | undefined {
  if (!summary) return undefined;
  const asked = kept[0]?.role === 'user' ? '' : lastWords(older);
  return [
    `(The earlier part of this conversation was replaced by a summary of it, to save room.)\n\n${summary.text}`,
    ...(asked === '' ? [] : [`(What the person wrote last, in their own words:)\n\n${asked}`]),
  ].join('\n\n');
}

function lastWords(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === 'user');
  const words = (last?.blocks ?? []).flatMap(block => (block.type === 'text' ? [block.text] : []));
  return words.join('\n\n').slice(0, MOST_OF_THE_REQUEST).trim();
}
