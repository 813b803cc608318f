import type { Ask } from '../../shared/asks.ts';

/**
 * The questions to show with a conversation, oldest first: its own, and those that belong to none. Questions of
 * other conversations wait there.
 */
export function asksFor(asks: readonly Ask[], conversationId: string | undefined): Ask[] {
  return asks
    .filter(ask => ask.conversationId === undefined || ask.conversationId === conversationId)
    .sort((a, b) => a.askedAt - b.askedAt);
}

/** How many questions wait in this very conversation: the mark beside its title. */
export function countFor(asks: readonly Ask[], conversationId: string): number {
  return asks.filter(ask => ask.conversationId === conversationId).length;
}
