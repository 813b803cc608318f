import type { ReactNode } from 'react';
import type { ServerView } from '../../shared/servers.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { request } from '../stores/host.ts';
import { Callout } from '../ui/Callout.tsx';
import { Switch } from '../ui/Switch.tsx';
import { AsksOfServer } from './AsksOfServer.tsx';
import styles from './ServerHead.module.css';
import { SignIn } from './SignIn.tsx';
import { useAction } from './useAction.ts';
import { countWords, needsSignIn, protocolWords, stateWords } from './words.ts';

/** How a server is, whether it is used, and what is wrong with it. `children` is its name, as a heading. */
export function ServerHead({ server, children }: { server: ServerView; children: ReactNode }) {
  const { name, state, config } = server;
  const { run, busy, error } = useAction();
  const wantsSignIn = needsSignIn(server);
  return (
    <>
      <header className={styles.header}>
        <div className={styles.what}>
          {children}
          <p className={styles.facts}>
            <span className={styles.state} data-state={wantsSignIn ? 'waiting' : state}>
              <span className={styles.dot} aria-hidden="true" />
              {stateWords(server)}
            </span>
            {server.signedIn && <span>signed in</span>}
            {state === 'ready' && <span>{countWords(server.counts)}</span>}
            {state === 'ready' && <span>{protocolWords(server)}</span>}
            <span>{config.type === 'stdio' ? 'on this computer' : 'over HTTP'}</span>
          </p>
        </div>
        <Switch
          label={`Use ${name}`}
          hideLabel
          checked={config.disabled !== true}
          disabled={busy}
          onChange={enabled => void run(() => request('servers.setEnabled', { name, enabled }))}
        />
      </header>
      {state === 'connecting' && server.activity && (
        <p className={styles.activity}>
          <HiddenText text={server.activity} />
        </p>
      )}
      <AsksOfServer server={server} />
      {server.error && (
        <Callout tone={wantsSignIn ? 'warning' : 'danger'} error={server.error}>
          {wantsSignIn && <SignIn name={name} />}
        </Callout>
      )}
      {error && <Callout tone="danger" error={error} />}
    </>
  );
}
