import { useEffect, useRef, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { request } from '../stores/host.ts';
import { Callout } from '../ui/Callout.tsx';
import styles from './ServerLog.module.css';

const REFRESH_MS = 1_000;

/** What a server writes to its error output, followed while it is open. */
export function ServerLog({ name }: { name: string }) {
  const [lines, setLines] = useState<string[]>();
  const [error, setError] = useState<ErrorInfo>();
  const ref = useRef<HTMLElement>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let open = true;
    const refresh = async () => {
      try {
        const log = await request('servers.log', { name });
        if (open) {
          // The same lines again are no reason to draw them again.
          setLines(before => (before?.join('\n') === log.lines.join('\n') ? before : log.lines));
          setError(undefined);
        }
      } catch (reason) {
        if (open) setError(toErrorInfo(reason));
      }
      if (open) timer = setTimeout(refresh, REFRESH_MS);
    };
    void refresh();
    return () => {
      open = false;
      clearTimeout(timer);
    };
  }, [name]);

  // Follows the end, unless the person has scrolled up to read.
  const atEnd = useRef(true);
  useEffect(() => {
    if (lines && atEnd.current) ref.current?.scrollTo({ top: ref.current.scrollHeight });
  }, [lines]);
  const onScroll = () => {
    const pre = ref.current;
    if (pre) atEnd.current = pre.scrollHeight - pre.scrollTop - pre.clientHeight < 20;
  };

  if (error) return <Callout tone="danger" error={error} />;
  if (lines?.length === 0) return <p className={styles.empty}>This server has written nothing yet.</p>;
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
      <HiddenText text={lines?.join('\n') ?? ''} />
    </section>
  );
}
