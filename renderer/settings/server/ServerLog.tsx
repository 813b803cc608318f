import { useEffect, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../../shared/errors.ts';
import { isAtLeast, type LogEntry, type LogLevel, logLevels } from '../../../shared/logs.ts';
import type { ServerView } from '../../../shared/servers.ts';
import { act } from '../../stores/app.ts';
import { closeLog, openLog, setLogLevel, useLog } from '../../stores/logs.ts';
import { Callout } from '../../ui/Callout.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAction } from '../useAction.ts';
import { LogLines } from './LogLines.tsx';
import styles from './ServerLog.module.css';
import { useFollowEnd } from './useFollowEnd.ts';

const levels = logLevels.map(level => ({ value: level, label: level }));

/** What a server writes beside the protocol, its log messages, and what Parley noticed; followed while it is open. */
export function ServerLog({ server }: { server: ServerView }) {
  const { name, capabilities } = server;
  const open = useLog(state => (state.open?.name === name ? state.open : undefined));
  const [error, setError] = useState<ErrorInfo>();
  const [least, setLeast] = useState<LogLevel>('debug');
  const [sought, setSought] = useState('');
  const asking = useAction();

  useEffect(() => {
    openLog(name).catch((reason: unknown) => setError(toErrorInfo(reason)));
    return () => act(closeLog(name));
  }, [name]);

  if (error) return <Callout error={error} />;
  if (!open) return <p className={styles.empty}>Reading the log…</p>;
  const words = sought.toLowerCase();
  const shown = open.entries.filter(
    ({ level, text, logger = '' }) =>
      isAtLeast(level, least) && `${logger} ${text}`.toLowerCase().includes(words),
  );
  return (
    <div className={styles.frame}>
      <div className={styles.filters}>
        <TextField label="Search the log" type="search" value={sought} onChange={setSought} />
        <Select
          label="Show from"
          value={least}
          options={levels}
          onChange={level => setLeast(level as LogLevel)}
        />
        {capabilities?.logging !== undefined && (
          <Select
            label="Ask the server for"
            value={open.level}
            options={levels}
            disabled={asking.busy}
            onChange={level => void asking.run(() => setLogLevel(name, level as LogLevel))}
          />
        )}
      </div>
      {asking.error && <Callout error={asking.error} />}
      <Entries name={name} entries={shown} isEmpty={open.entries.length === 0} />
    </div>
  );
}

function Entries({ name, entries, isEmpty }: { name: string; entries: LogEntry[]; isEmpty: boolean }) {
  const { ref, onScroll } = useFollowEnd<HTMLElement>(entries);
  if (entries.length === 0)
    return (
      <p className={styles.empty}>
        {isEmpty ? 'This server has written nothing yet.' : 'Nothing in the log fits.'}
      </p>
    );
  return (
    <section
      ref={ref}
      className={styles.log}
      // What scrolls must be reachable by keyboard.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      aria-label={`Log of ${name}`}
      onScroll={onScroll}
    >
      <LogLines entries={entries} />
    </section>
  );
}
