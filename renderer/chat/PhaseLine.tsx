import type { TurnState } from '../../shared/chat.ts';
import { countFor } from '../asks/queue.ts';
import { useAsks } from '../stores/asks.ts';
import { useConversations } from '../stores/conversations.ts';
import { useNow } from '../ui/useNow.ts';
import styles from './PhaseLine.module.css';

/** What the turn is doing right now; the line is always there, so that nothing jumps. */
export function PhaseLine({ conversationId }: { conversationId: string | undefined }) {
  const turn = useConversations(state => (conversationId ? state.turns[conversationId] : undefined));
  const asked = useAsks(state => conversationId !== undefined && countFor(state.asks, conversationId) > 0);
  const now = useNow(turn?.phase === 'retrying');
  return (
    <p className={styles.line} role="status">
      {turn && (asked ? 'Waiting for your answer' : inWords(turn, now))}
    </p>
  );
}

function inWords(turn: TurnState, now: number): string {
  switch (turn.phase) {
    case 'thinking':
      return 'Thinking…';
    case 'streaming':
      return 'Writing…';
    case 'tools':
      return 'Using tools…';
    case 'summarising':
      return 'Summarising earlier messages…';
    case 'retrying': {
      const seconds = Math.max(0, Math.ceil(((turn.retry?.at ?? now) - now) / 1000));
      return `${turn.retry?.reason ?? 'The endpoint failed.'} Trying again in ${seconds} s…`;
    }
    case 'idle':
      return '';
  }
}
