import type { LogEntry, LogSource } from '../../../shared/logs.ts';
import { HiddenText } from '../../asks/HiddenText.tsx';
import styles from './LogLines.module.css';

const sourceWords: Record<LogSource, string> = {
  stderr: 'stderr',
  stdout: 'stdout',
  server: 'message',
  parley: 'Parley',
};

/** Lines of a server's log: when, from where, and what. */
export function LogLines({ entries }: { entries: readonly LogEntry[] }) {
  return entries.map(({ number, at, level, source, logger, text }) => (
    <div key={number} className={styles.entry} data-level={level}>
      <time className={styles.at} dateTime={new Date(at).toISOString()}>
        {new Date(at).toLocaleTimeString()}
      </time>
      <span className={styles.source}>
        {sourceWords[source]}
        {source === 'server' && ` ${level}`}
        {logger && (
          <>
            {' '}
            <HiddenText text={logger} />
          </>
        )}
      </span>
      <span className={styles.text}>
        <HiddenText text={text} />
      </span>
    </div>
  ));
}
