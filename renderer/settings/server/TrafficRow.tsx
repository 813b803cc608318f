import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import { memo, useId, useState } from 'react';
import type { TrafficEntry, TrafficKind } from '../../../shared/traffic.ts';
import { HiddenText } from '../../asks/HiddenText.tsx';
import { JsonView } from '../../asks/JsonView.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { durationWords } from '../../ui/duration.ts';
import { sizeInWords } from '../../ui/media.ts';
import styles from './ServerTraffic.module.css';
import { entryJson, messageOf } from './trafficJson.ts';

const kindWords: Record<TrafficKind, string> = {
  request: 'request',
  response: 'answer',
  error: 'error',
  notification: 'notification',
};

interface Props {
  entry: TrafficEntry;
  /** Where the tab key stops in the list. */
  isStop: boolean;
  onFocus(number: number): void;
}

/** One message: a line with the facts, which opens to show all of it. */
export const TrafficRow = memo(function TrafficRow({ entry, isStop, onFocus }: Props) {
  const [open, setOpen] = useState(false);
  const details = useId();
  const { number, at, direction, kind, method, id, status, durationMs, bytes } = entry;
  const Arrow = direction === 'sent' ? ArrowUpRight : ArrowDownLeft;
  return (
    <li className={styles.row} data-kind={kind}>
      <button
        type="button"
        className={styles.line}
        data-line=""
        tabIndex={isStop ? 0 : -1}
        aria-expanded={open}
        aria-controls={details}
        onFocus={() => onFocus(number)}
        onClick={() => setOpen(!open)}
      >
        <Arrow size={14} role="img" aria-label={direction} className={styles[direction]} />
        <time className={styles.at} dateTime={new Date(at).toISOString()}>
          {new Date(at).toLocaleTimeString()}
        </time>
        <span className={styles.method}>
          <HiddenText text={method ?? 'unknown'} />
        </span>
        <span className={styles.kind}>
          {kindWords[kind]}
          {status !== undefined && ` ${status}`}
          {id !== undefined && (
            <>
              {' '}
              <HiddenText text={`#${id}`} />
            </>
          )}
        </span>
        <span className={styles.duration}>{durationMs !== undefined && durationWords(durationMs)}</span>
        <span className={styles.size}>{sizeInWords(bytes)}</span>
      </button>
      {open && (
        <div id={details} ref={bringIntoView} className={styles.details}>
          <Message entry={entry} />
          <CopyButton text={() => entryJson(entry)} label="Copy this message as JSON" />
        </div>
      )}
    </li>
  );
});

function bringIntoView(details: HTMLElement | null): void {
  details?.scrollIntoView({ block: 'nearest' });
}

function Message({ entry }: { entry: TrafficEntry }) {
  const { bytes, text, isCut } = entry;
  return (
    <div className={styles.message}>
      {isCut && (
        <p className={styles.cut}>
          Too long to keep: this is the beginning, {text.length.toLocaleString('en')} characters of{' '}
          {sizeInWords(bytes)}.
        </p>
      )}
      <JsonView value={messageOf(entry)} />
    </div>
  );
}
