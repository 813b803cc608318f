import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './ServerForm.module.css';
import { useAction } from './useAction.ts';

/** Asks once more before a server leaves servers.json. */
export function RemoveDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { run, busy, error } = useAction();
  const remove = async () => {
    if (await run(() => request('servers.remove', { name }))) onClose();
  };
  return (
    <Dialog title={`Remove ${name}?`} onClose={onClose}>
      <p>
        Its entry is taken out of servers.json, with its environment and headers. To keep it but not use it,
        switch it off instead.
      </p>
      {error && <Callout tone="danger" error={error} />}
      <footer className={styles.actions}>
        <Button onClick={onClose}>Keep it</Button>
        <Button variant="danger" disabled={busy} onClick={() => void remove()}>
          Remove server
        </Button>
      </footer>
    </Dialog>
  );
}
