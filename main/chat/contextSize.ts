/** How many tokens a conversation takes, as far as that is known. */
import type { Message } from '../../shared/chat.ts';
import { promptTokens } from '../../shared/usage.ts';
import { toApiMessages } from './context.ts';
import { isUsed, summarised } from './summary.ts';

export interface Size {
  tokens: number;
  /** Not counted by the endpoint, or not all of it. */
  isEstimate: boolean;
}

/** Between prose and code. */
const CHARACTERS_PER_TOKEN = 3.5;
/** Of a picture of usual size. */
const PICTURE_TOKENS = 1500;
const PAGES_TOKENS = 3000;

/**
 * What the next prompt takes: as the endpoint counted the last one and its answer, with an estimate of what has come
 * since. `beside`: what system and tools take, for a conversation in which nothing was counted yet.
 */
export function contextSize(messages: readonly Message[], beside: number): Size {
  const at = messages.findLastIndex(({ usage }) => usage);
  const counted = messages[at];
  if (!counted?.usage || isSummarisedSince(messages, at)) {
    return { tokens: beside + estimateMessages(messages), isEstimate: true };
  }
  // The results of its calls were not there yet.
  const calls = counted.blocks.filter(({ type }) => type === 'toolCall');
  const since = [...(calls.length > 0 ? [{ ...counted, blocks: calls }] : []), ...messages.slice(at + 1)];
  const more = since.length > 0 ? estimateMessages(since) : 0;
  return { tokens: promptTokens(counted.usage) + counted.usage.output + more, isEstimate: more > 0 };
}

export function estimateMessages(messages: readonly Message[]): number {
  return estimate(toApiMessages(messages, ''));
}

/** By the length of what is sent; pictures and documents by what they usually take. */
export function estimate(sent: unknown): number {
  let beside = 0;
  const text = JSON.stringify(sent, (_key, value: unknown) => {
    const { type, source } = (value ?? {}) as { type?: unknown; source?: { type?: unknown } };
    if (source?.type !== 'base64') return value;
    beside += type === 'document' ? PAGES_TOKENS : PICTURE_TOKENS;
    return undefined;
  });
  return Math.ceil((text ?? '').length / CHARACTERS_PER_TOKEN) + beside;
}

/** Whether a summary in use came after the request of message `at`: at its end, or later. */
function isSummarisedSince(messages: readonly Message[], at: number): boolean {
  const { summary } = summarised(messages);
  if (!summary) return false;
  const place = messages.findLastIndex(({ blocks }) => blocks.includes(summary));
  if (place !== at) return place > at;
  const blocks = messages[at]?.blocks ?? [];
  return !blocks
    .slice(blocks.findLastIndex(isUsed))
    .some(({ type }) => type !== 'summary' && type !== 'notice');
}
