import { type Ask, type AskOf, declineAnswers } from '../../shared/asks.ts';

/**
 * The questions to show with a conversation, oldest first: its own, and those that belong to none. Questions of
 * other conversations wait there; whether to wait for a call is asked on its card.
 */
export function asksFor(asks: readonly Ask[], conversationId: string | undefined): Ask[] {
  return asks
    .filter(ask => ask.kind !== 'keepWaiting')
    .filter(ask => ask.conversationId === undefined || ask.conversationId === conversationId)
    .sort((a, b) => a.askedAt - b.askedAt);
}

/** How many questions wait in this very conversation: the mark beside its title. */
export function countFor(asks: readonly Ask[], conversationId: string): number {
  return asks.filter(ask => ask.conversationId === conversationId).length;
}

/** The calls of one conversation that can be answered together: not those whose tool has changed. */
export function callsWith(queue: readonly Ask[], first: Ask): AskOf<'approval'>[] {
  return queue.filter(
    (ask): ask is AskOf<'approval'> =>
      ask.kind === 'approval' && !ask.change && ask.conversationId === first.conversationId,
  );
}

/** What the same server asks beside this question of its own; what Parley asks is not counted. */
export function moreOfServer(queue: readonly Ask[], first: Ask): number {
  if (!declineAnswers[first.kind]) return 0;
  return queue.filter(
    ask =>
      ask.id !== first.id &&
      declineAnswers[ask.kind] &&
      ask.server === first.server &&
      ask.conversationId === first.conversationId,
  ).length;
}
