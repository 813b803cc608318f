import { type KeyboardEvent, useCallback, useState } from 'react';
import type { TrafficEntry } from '../../../shared/traffic.ts';
import styles from './ServerTraffic.module.css';
import { TrafficRow } from './TrafficRow.tsx';
import { useFollowEnd } from './useFollowEnd.ts';

/** One line for each message, the newest last. One stop for the tab key; arrows, Home and End move within it. */
export function TrafficList({ name, entries }: { name: string; entries: TrafficEntry[] }) {
  const { ref, onScroll } = useFollowEnd<HTMLOListElement>(entries);
  const [current, setCurrent] = useState<number>();
  const onFocus = useCallback((number: number) => setCurrent(number), []);
  const stop = entries.some(({ number }) => number === current) ? current : entries.at(-1)?.number;
  return (
    <ol
      ref={ref}
      className={styles.list}
      aria-label={`Messages of ${name}`}
      onScroll={onScroll}
      onKeyDown={moveFocus}
    >
      {entries.map(entry => (
        <TrafficRow
          // An entry that was edited begins to count anew.
          key={`${entry.number} ${entry.at}`}
          entry={entry}
          isStop={entry.number === stop}
          onFocus={onFocus}
        />
      ))}
    </ol>
  );
}

function moveFocus(event: KeyboardEvent<HTMLOListElement>): void {
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-line]')];
  const at = lines.indexOf(document.activeElement as HTMLElement);
  if (at === -1) return;
  const targets: Record<string, number> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    Home: 0,
    End: lines.length - 1,
  };
  const line = lines[targets[event.key] ?? -1];
  if (!line) return;
  event.preventDefault();
  line.focus();
}
