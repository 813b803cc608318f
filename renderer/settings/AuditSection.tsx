import { useState } from 'react';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import styles from './RulesScreen.module.css';
import screen from './Screen.module.css';
import { useAction } from './useAction.ts';

/** The log of every question and answer, to be taken away as a file. */
export function AuditSection() {
  const { run, busy, error } = useAction();
  const [saved, setSaved] = useState<{ entries: number; damaged: number }>();
  const save = async () => {
    setSaved(undefined);
    const { saved, ...counts } = await request('app.exportAudit');
    if (saved) setSaved(counts);
  };
  return (
    <section className={screen.section} aria-labelledby="audit-log">
      <h2 id="audit-log">Audit log</h2>
      <p className={styles.none}>
        Every question, every answer and who gave it, one line of JSON each, without secrets. The newest few
        megabytes are kept.
      </p>
      <div>
        <Button disabled={busy} onClick={() => void run(save)}>
          Export…
        </Button>
      </div>
      <p role="status" className={styles.none}>
        {saved && `Saved ${saved.entries} entries.`}
        {saved && saved.damaged > 0 && ` ${saved.damaged} lines of the log are damaged and were left out.`}
      </p>
      {error && <Callout tone="danger" error={error} />}
    </section>
  );
}
