import { ArrowDown } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useConversations } from '../stores/conversations.ts';
import { useFind } from '../stores/find.ts';
import styles from './MessageList.module.css';
import { MessageView } from './MessageView.tsx';
import { fitted, latestWindow, windowWith, withEarlier, withLater } from './messageWindow.ts';
import { useMarks } from './useMarks.ts';
import { useStickToEnd } from './useStickToEnd.ts';

/**
 * The messages; the view follows the end only while the person is there. Of a long conversation only a part is in the
 * page, which slides with the view; the browser keeps what is seen in its place meanwhile.
 */
export function MessageList() {
  const messages = useConversations(state => state.messages) ?? [];
  const sought = useConversations(state => state.sought);
  const { length } = messages;
  // What was there before is not news that is read out.
  const [newsFrom, setNewsFrom] = useState(length);
  const [chosen, setRange] = useState(() => latestWindow(length));
  const first = messages[0]?.id;
  const [firstBefore, setFirstBefore] = useState(first);
  if (first !== firstBefore) {
    // The earlier ones have come: what is in the page stays in it.
    const by = messages.findIndex(({ id }) => id === firstBefore);
    setFirstBefore(first);
    if (by > 0) {
      setRange(({ start, end }) =>
        end === undefined ? { start: start + by } : { start: start + by, end: end + by },
      );
      setNewsFrom(newsFrom + by);
    }
  }
  const range = fitted(chosen, length);
  const { start, end } = range;
  const { scroller, content, atEnd, toEnd, away } = useStickToEnd(end === undefined);
  const own = messages.findLast(({ role }) => role === 'user')?.id;
  const toLatest = useCallback(() => {
    const { messages } = useConversations.getState();
    setRange(({ start, end }) => (end === undefined ? { start } : latestWindow(messages?.length ?? 0)));
    toEnd();
  }, [toEnd]);
  // Whoever has just written wants to see what comes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the person's last message is another one
  useEffect(() => toLatest(), [own, toLatest]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the message has come into the page
  useEffect(() => {
    const at = sought === undefined ? -1 : messages.findIndex(({ id }) => id === sought);
    if (sought === undefined || at === -1) return;
    const found = content.current?.querySelector(`[data-message="${CSS.escape(sought)}"]`);
    if (!found) return setRange(now => windowWith(at, now, messages.length));
    useConversations.setState({ sought: undefined });
    away();
    found.scrollIntoView({ block: 'center' });
    // Whoever is typing what to find goes on typing.
    if (!useFind.getState().open) (found as HTMLElement).focus({ preventScroll: true });
  }, [sought, messages, chosen, content, away]);

  useMarks(
    content,
    useFind(state => state.query),
  );

  const shown = messages.slice(start, end);
  const known = Math.max(0, newsFrom - start);
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section ref={scroller} className={styles.scroller} aria-label="Messages" tabIndex={0}>
        <div ref={content} className={styles.content} role="log" aria-live="polite" aria-relevant="additions">
          {start > 0 && (
            <Edge
              key={`from ${start}`}
              scroller={scroller}
              onNear={() => setRange(withEarlier(range, length))}
            />
          )}
          <div className={styles.known} aria-live="off">
            {shown.slice(0, known).map(message => (
              <MessageView key={message.id} message={message} />
            ))}
          </div>
          {shown.slice(known).map(message => (
            <MessageView key={message.id} message={message} />
          ))}
          {end !== undefined && (
            <Edge key={`to ${end}`} scroller={scroller} onNear={() => setRange(withLater(range, length))} />
          )}
        </div>
      </section>
      {!atEnd && (
        <button type="button" className={styles.jump} onClick={toLatest}>
          <ArrowDown size={15} aria-hidden="true" /> Jump to latest
        </button>
      )}
    </div>
  );
}

/** Where the page ends but the conversation does not: tells when the view comes near. */
function Edge({ scroller, onNear }: { scroller: RefObject<HTMLElement | null>; onNear(): void }) {
  const ref = useRef<HTMLDivElement>(null);
  const near = useRef(onNear);
  near.current = onNear;
  useEffect(() => {
    const box = scroller.current;
    if (!box || !ref.current) return;
    const observer = new IntersectionObserver(
      entries => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        // At the very top the browser does not keep the place of what is seen.
        if (box.scrollTop === 0) box.scrollTop = 1;
        near.current();
      },
      { root: box, rootMargin: '800px 0px' },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [scroller]);
  return <div ref={ref} className={styles.edge} />;
}
