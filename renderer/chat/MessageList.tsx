import { ArrowDown } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { act } from '../stores/app.ts';
import { useConversations } from '../stores/conversations.ts';
import { useFind } from '../stores/find.ts';
import { MOST, STEP } from '../stores/keptPart.ts';
import { keepLatest, showLatest, slide } from '../stores/openBranch.ts';
import styles from './MessageList.module.css';
import { MessageView } from './MessageView.tsx';
import { useKeptSelection } from './useKeptSelection.ts';
import { useMarks } from './useMarks.ts';
import { useSought } from './useSought.ts';
import { useStickToEnd } from './useStickToEnd.ts';

/**
 * The messages; the view follows the end only while the person is there. Of a long conversation only a part is there,
 * which slides with the view; the browser keeps what is seen in its place meanwhile.
 */
export function MessageList() {
  const messages = useConversations(state => state.messages) ?? [];
  const hasEarlier = useConversations(state => state.hasEarlier);
  const hasLater = useConversations(state => state.hasLater);
  const { scroller, content, atEnd, toEnd, away } = useStickToEnd(!hasLater);
  // What was there before is not news that is read out.
  const [since] = useState(Date.now);
  const firstNew = messages.findIndex(({ createdAt }) => createdAt > since);
  const known = firstNew === -1 ? messages.length : firstNew;

  const goesToEnd = useRef(false);
  const toLatest = useCallback(() => {
    goesToEnd.current = useConversations.getState().hasLater;
    if (goesToEnd.current) act(showLatest());
    else toEnd();
  }, [toEnd]);
  useLayoutEffect(() => {
    if (!goesToEnd.current || hasLater) return;
    goesToEnd.current = false;
    toEnd();
  }, [hasLater, toEnd]);
  // One comes back to the end, and whoever has just written wants to see what comes.
  const written = useConversations(state => state.written);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the person has written another message
  useEffect(() => {
    if (useConversations.getState().sought === undefined) toLatest();
  }, [written, toLatest]);
  useEffect(() => {
    if (atEnd && !hasLater && messages.length > MOST + STEP) keepLatest();
  }, [atEnd, hasLater, messages.length]);
  useSought(content, away);
  useKeptSelection(content);
  useMarks(
    content,
    useFind(state => state.query),
  );

  const earlier = () => {
    act(
      slide('before', () => {
        // At the very top the browser does not keep the place of what is seen.
        if (scroller.current?.scrollTop === 0) scroller.current.scrollTop = 1;
      }),
    );
  };
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section ref={scroller} className={styles.scroller} aria-label="Messages" tabIndex={0}>
        <div ref={content} className={styles.content} role="log" aria-live="polite" aria-relevant="additions">
          {hasEarlier && <Edge key={`from ${messages[0]?.id}`} scroller={scroller} onNear={earlier} />}
          <div className={styles.known} aria-live="off">
            {messages.slice(0, known).map(message => (
              <MessageView key={message.id} message={message} />
            ))}
          </div>
          {messages.slice(known).map(message => (
            <MessageView key={message.id} message={message} />
          ))}
          {hasLater && (
            <Edge key={`to ${messages.at(-1)?.id}`} scroller={scroller} onNear={() => act(slide('after'))} />
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

/** Where the part ends but the conversation does not: tells when the view comes near. */
function Edge({ scroller, onNear }: { scroller: RefObject<HTMLElement | null>; onNear(): void }) {
  const ref = useRef<HTMLDivElement>(null);
  const near = useRef(onNear);
  near.current = onNear;
  useEffect(() => {
    const box = scroller.current;
    if (!box || !ref.current) return;
    const observer = new IntersectionObserver(
      entries => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) near.current();
      },
      { root: box, rootMargin: '800px 0px' },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [scroller]);
  return <div ref={ref} className={styles.edge} />;
}
