import { ArrowDown } from 'lucide-react';
import { useEffect } from 'react';
import { useConversations } from '../stores/conversations.ts';
import styles from './MessageList.module.css';
import { MessageView } from './MessageView.tsx';
import { useStickToEnd } from './useStickToEnd.ts';

/** The messages; the view follows the end only while the person is there. */
export function MessageList() {
  const messages = useConversations(state => state.messages) ?? [];
  const sought = useConversations(state => state.sought);
  const { scroller, content, atEnd, toEnd, away } = useStickToEnd();
  const own = messages.findLast(({ role }) => role === 'user')?.id;
  // Whoever has just written wants to see what comes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the person's last message is another one
  useEffect(() => toEnd(), [own, toEnd]);
  useEffect(() => {
    const found = sought && content.current?.querySelector(`[data-message="${CSS.escape(sought)}"]`);
    if (!found || messages.length === 0) return;
    useConversations.setState({ sought: undefined });
    away();
    found.scrollIntoView({ block: 'center' });
    (found as HTMLElement).focus({ preventScroll: true });
  }, [sought, messages, content, away]);
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section ref={scroller} className={styles.scroller} aria-label="Messages" tabIndex={0}>
        <div ref={content} className={styles.content} role="log" aria-live="polite" aria-relevant="additions">
          {messages.map(message => (
            <MessageView key={message.id} message={message} />
          ))}
        </div>
      </section>
      {!atEnd && (
        <button type="button" className={styles.jump} onClick={toEnd}>
          <ArrowDown size={15} aria-hidden="true" /> Jump to latest
        </button>
      )}
    </div>
  );
}
