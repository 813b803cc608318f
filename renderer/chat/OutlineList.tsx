import { useLayoutEffect, useRef, useState } from 'react';
import type { OwnMessage } from '../../shared/chat.ts';
import styles from './Outline.module.css';

/** The height of a row, in CSS pixels; the same in the style sheet. */
const ROW = 34;
/** So many rows beyond what is seen are in the page. */
const MARGIN = 6;

interface Props {
  id: string;
  entries: readonly OwnMessage[];
  /** The place of the chosen one. */
  at: number;
  /** Where the person is in the conversation. */
  current: string | undefined;
  onTake(messageId: string): void;
}

/** The list of the outline; of ten thousand entries only those in view are in the page. The focus stays in its field. */
export function OutlineList({ id, entries, at, current, onTake }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: at * ROW, height: 0 });
  const wasShown = useRef(false);
  useLayoutEffect(() => {
    const box = list.current;
    if (!box) return;
    const room = box.clientHeight - ROW;
    // At first in the middle, later only as far as needed.
    if (!wasShown.current) box.scrollTop = at * ROW - room / 2;
    else if (at * ROW < box.scrollTop) box.scrollTop = at * ROW;
    else if (at * ROW > box.scrollTop + room) box.scrollTop = at * ROW - room;
    wasShown.current = true;
    setView({ top: box.scrollTop, height: box.clientHeight });
  }, [at]);
  const start = Math.max(0, Math.floor(view.top / ROW) - MARGIN);
  const end = Math.ceil((view.top + view.height) / ROW) + MARGIN;
  const inPage = entries.slice(start, end).map((entry, nth) => ({ entry, place: start + nth }));
  const chosen = entries[at];
  // What the field points to must be in the page, also where one has scrolled away from it.
  if (chosen && (at < start || at >= end)) inPage.push({ entry: chosen, place: at });
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="What you wrote"
      className={styles.list}
      onScroll={({ currentTarget: { scrollTop, clientHeight } }) =>
        setView({ top: scrollTop, height: clientHeight })
      }
    >
      <div role="presentation" className={styles.rows} style={{ blockSize: entries.length * ROW }}>
        {inPage.map(({ entry: { messageId, at: time, beginning }, place }) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          <div
            key={messageId}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === at}
            aria-current={messageId === current ? 'location' : undefined}
            aria-posinset={place + 1}
            aria-setsize={entries.length}
            className={styles.row}
            style={{ insetBlockStart: place * ROW }}
            title={beginning}
            // Before the field loses the focus.
            onMouseDown={event => event.preventDefault()}
            onClick={() => onTake(messageId)}
          >
            <span className={styles.beginning}>{beginning || 'No words'}</span>
            <time className={styles.time} dateTime={new Date(time).toISOString()}>
              {timeWords(time)}
            </time>
          </div>
        ))}
      </div>
    </div>
  );
}

function timeWords(at: number): string {
  const date = new Date(at);
  const now = new Date();
  if (date.toDateString() === now.toDateString())
    return date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return date.toLocaleDateString([], {
    day: 'numeric',
    month: 'short',
    ...(date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  });
}
