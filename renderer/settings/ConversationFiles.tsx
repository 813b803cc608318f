import { useState } from 'react';
import { useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './ModelForms.module.css';
import { useAction } from './useAction.ts';

type Backup = { conversations: number; allowing: number };

/** Conversations as files: taken in, taken out, and all of them kept safe. */
export function ConversationFiles() {
  const ids = useConversations(state => state.conversations).map(({ id }) => id);
  const { run, busy, error } = useAction();
  const [said, setSaid] = useState<string>();
  const [backup, setBackup] = useState<Backup>();
  const doing = (work: () => Promise<string | undefined>) => {
    setSaid(undefined);
    void run(async () => setSaid(await work()));
  };
  const take = async () => {
    const taken = await request('app.importConversations');
    if (!taken) return undefined;
    const skipped = taken.skipped === 0 ? '' : ` ${taken.skipped} were empty or could not be read.`;
    return `Imported ${count(taken.ids.length)}.${skipped}`;
  };
  const give = async () => {
    const { saved } = await request('app.exportConversations', { ids, format: 'json' });
    return saved ? `Exported ${count(ids.length)}.` : undefined;
  };
  const backUp = async () => ((await request('app.backUp')).saved ? 'The backup is written.' : undefined);
  const pick = async () => {
    setBackup(await request('app.pickBackup'));
    return undefined;
  };
  return (
    <div className={styles.form}>
      <p className={styles.note}>
        An import takes a file that Parley exported, or the data export of Claude or ChatGPT as it was
        downloaded. A backup holds all conversations, drafts and rules; servers, settings and secrets are not
        in it.
      </p>
      <div className={styles.buttons}>
        <Button disabled={busy} onClick={() => doing(take)}>
          Import…
        </Button>
        <Button disabled={busy || ids.length === 0} onClick={() => doing(give)}>
          Export all…
        </Button>
        <Button disabled={busy} onClick={() => doing(backUp)}>
          Back up…
        </Button>
        <Button disabled={busy} onClick={() => doing(pick)}>
          Restore a backup…
        </Button>
      </div>
      <p role="status" className={styles.note}>
        {said}
      </p>
      {error && <Callout tone="danger" error={error} />}
      {backup && (
        <Dialog
          title="Restore this backup?"
          onClose={() => setBackup(undefined)}
          footer={
            <>
              <Button variant="ghost" onClick={() => setBackup(undefined)}>
                Cancel
              </Button>
              <Button variant="danger" onClick={() => doing(async () => void (await request('app.restore')))}>
                Restore and start again
              </Button>
            </>
          }
        >
          <p>
            It holds {count(backup.conversations)} and{' '}
            {backup.allowing === 0
              ? 'no rule that lets a tool run unasked'
              : `${backup.allowing} ${backup.allowing === 1 ? 'rule that lets a tool' : 'rules that let tools'} run unasked`}
            . It takes the place of what is here now; Parley stops what runs and starts again. What is here is
            kept in a file beside the database.
          </p>
        </Dialog>
      )}
    </div>
  );
}

function count(conversations: number): string {
  return conversations === 1 ? 'one conversation' : `${conversations} conversations`;
}
