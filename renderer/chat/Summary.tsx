import type { SummaryBlock } from '../../shared/chat.ts';
import { act } from '../stores/app.ts';
import { useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { Markdown } from './Markdown.tsx';
import styles from './Summary.module.css';

interface Props {
  summary: SummaryBlock;
  conversationId: string;
  messageId: string;
  index: number;
}

/** Where earlier messages were summarised for the model: the summary, and the way back. */
export function Summary({ summary, conversationId, messageId, index }: Props) {
  const running = useConversations(state => conversationId in state.turns);
  const use = (use: boolean) => act(request('chat.useSummary', { conversationId, messageId, index, use }));
  return (
    <Callout
      title={
        summary.undone ? 'The summary of earlier messages is not used' : 'Earlier messages were summarised'
      }
    >
      <p className={styles.note}>
        {summary.undone
          ? 'The model gets all messages again.'
          : 'The model gets this summary instead of the messages before it. They are all kept.'}
      </p>
      <details className={styles.details}>
        <summary>Show the summary</summary>
        <Markdown text={summary.text} />
      </details>
      <div>
        <Button size="small" disabled={running} onClick={() => use(summary.undone === true)}>
          {summary.undone ? 'Use it again' : 'Undo'}
        </Button>
      </div>
    </Callout>
  );
}
