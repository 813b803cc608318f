import { useState } from 'react';
import type { ServerView } from '../../shared/servers.ts';
import { request } from '../stores/host.ts';
import { useServers } from '../stores/servers.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import styles from './ServerActions.module.css';
import { ServerDialog } from './ServerDialog.tsx';
import { useAction } from './useAction.ts';
import { needsSignIn } from './words.ts';

/** What can be done with a server's entry, with the dialogs for it. */
export function ServerActions({ server }: { server: ServerView }) {
  const { name, state, config } = server;
  const servers = useServers(all => all.servers);
  const [dialog, setDialog] = useState<'edit' | 'remove'>();
  const { run, busy, error } = useAction();
  const close = () => setDialog(undefined);
  return (
    <div className={styles.actions}>
      <Button
        variant={state === 'failed' && !needsSignIn(server) ? 'primary' : 'secondary'}
        size="small"
        disabled={busy || config.disabled === true}
        onClick={() => void run(() => request('servers.restart', { name }))}
      >
        Restart
      </Button>
      {server.signedIn && (
        <Button
          size="small"
          disabled={busy}
          onClick={() => void run(() => request('servers.signOut', { name }))}
        >
          Sign out
        </Button>
      )}
      {server.secrets && (
        <Button
          size="small"
          disabled={busy}
          title={server.secrets.join(', ')}
          onClick={() => void run(() => request('servers.forgetSecrets', { name }))}
        >
          Enter secrets anew
        </Button>
      )}
      <Button size="small" onClick={() => setDialog('edit')}>
        Edit
      </Button>
      <Button size="small" onClick={() => setDialog('remove')}>
        Remove
      </Button>
      {error && <Callout tone="danger" error={error} />}
      {dialog === 'edit' && (
        <ServerDialog names={servers.map(one => one.name)} server={server} onClose={close} />
      )}
      {dialog === 'remove' && <RemoveDialog name={name} onClose={close} />}
    </div>
  );
}
