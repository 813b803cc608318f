import { useConversations } from '../stores/conversations.ts';
import { useRules } from '../stores/rules.ts';
import { MutedServer } from './ConversationRulesList.tsx';
import styles from './RulesScreen.module.css';

/** On a server's page: where the person has silenced it. */
export function MutedHere({ server }: { server: string }) {
  const all = useRules(state => state.conversations);
  const conversations = useConversations(state => state.conversations);
  const found = Object.values(all).flatMap(({ conversationId, muted }) =>
    muted.filter(one => one.server === server).map(one => ({ conversationId, muted: one })),
  );
  if (found.length === 0) return null;
  return (
    <ul className={styles.rules} aria-label="Muted">
      {found.map(({ conversationId, muted }) => {
        const title = conversations.find(({ id }) => id === conversationId)?.title;
        const where = title === undefined ? 'outside of conversations' : `in “${title}”`;
        return (
          <MutedServer key={conversationId} conversationId={conversationId} where={where} muted={muted} />
        );
      })}
    </ul>
  );
}
