import { useEffect, useState } from 'react';
import type { LogEntry } from '../../shared/logs.ts';
import { LogLines } from '../settings/server/LogLines.tsx';
import { act } from '../stores/app.ts';
import { request } from '../stores/host.ts';
import { useNow } from '../ui/useNow.ts';
import styles from './ToolCard.module.css';

/** A line may be a moment late: servers write it beside the protocol. */
const LATE_MS = 250;
const MAX_SHOWN = 200;

interface Props {
  server: string;
  startedAt: number;
  /** Absent while it runs. */
  durationMs: number | undefined;
}

/** What the server wrote while a call ran, as long as its log has it; other calls may have run beside it. */
export function CallLog({ server, startedAt, durationMs }: Props) {
  const [entries, setEntries] = useState<LogEntry[]>([]);
  const running = durationMs === undefined;
  const second = Math.floor(useNow(running) / 1000);
  // biome-ignore lint/correctness/useExhaustiveDependencies: while it runs, there may be more each second
  useEffect(() => {
    let gone = false;
    const until = running ? {} : { until: startedAt + durationMs + LATE_MS };
    act(
      request('servers.log', { name: server, from: startedAt, ...until }).then(
        log => gone || setEntries(log.entries),
      ),
    );
    return () => {
      gone = true;
    };
  }, [server, startedAt, durationMs, running && second]);
  if (entries.length === 0) return null;
  const hidden = entries.length - MAX_SHOWN;
  return (
    <>
      <h2 className={styles.heading}>
        What the server wrote meanwhile{hidden > 0 && `, the last ${MAX_SHOWN} of ${entries.length} lines`}
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={styles.log} tabIndex={0} aria-label="What the server wrote meanwhile">
        <LogLines entries={entries.slice(-MAX_SHOWN)} />
      </section>
    </>
  );
}
