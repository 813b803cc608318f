import type { BranchPart, Message } from '../../shared/chat.ts';

/** So many messages are asked for at once. */
export const STEP = 60;

/** So many are kept and are in the page, so that a long conversation costs no more than a short one. */
export const MOST = 300;

/** The part with what comes before it; of what is too much, the end goes. */
export function withEarlier(kept: BranchPart, earlier: BranchPart): BranchPart {
  const messages = [...earlier.messages, ...kept.messages];
  return {
    messages: messages.slice(0, MOST),
    hasEarlier: earlier.hasEarlier,
    hasLater: kept.hasLater || messages.length > MOST,
  };
}

/** The part with what comes behind it; of what is too much, the beginning goes. */
export function withLater(kept: BranchPart, later: BranchPart): BranchPart {
  return {
    ...latest({ ...kept, messages: [...kept.messages, ...later.messages] }),
    hasLater: later.hasLater,
  };
}

/** The end of a part that has grown. */
export function latest(kept: BranchPart): BranchPart {
  const { messages } = kept;
  return messages.length > MOST ? { ...kept, messages: messages.slice(-MOST), hasEarlier: true } : kept;
}

/**
 * The part where the branch goes on with `rest` behind the message `after`, or without it from the beginning on. When it
 * does not reach there, it stays, and what is new comes later.
 */
export function parted(
  kept: BranchPart,
  after: string | undefined,
  rest: { messages: Message[]; hasLater: boolean },
): BranchPart {
  const { messages } = kept;
  const isBefore = after === messages[0]?.parentId;
  const end = isBefore ? 0 : messages.findLastIndex(({ id }) => id === after) + 1;
  if (!isBefore && end === 0) return { ...kept, hasLater: true };
  return { ...kept, messages: [...messages.slice(0, end), ...rest.messages], hasLater: rest.hasLater };
}
