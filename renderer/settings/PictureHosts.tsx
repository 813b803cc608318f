import { request } from '../stores/host.ts';
import { useSettings } from '../stores/settings.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import styles from './RulesScreen.module.css';
import screen from './Screen.module.css';
import { useAction } from './useAction.ts';

/** The hosts whose pictures are shown in answers without a question; each can be taken back. */
export function PictureHosts() {
  const hosts = useSettings(state => state.settings.pictureHosts);
  const { run, busy, error } = useAction();
  return (
    <section className={screen.section} aria-labelledby="picture-hosts">
      <h2 id="picture-hosts">Pictures in answers</h2>
      {hosts.length === 0 ? (
        <p className={styles.none}>None from the internet: each is asked about where it stands.</p>
      ) : (
        <ul className={styles.rules}>
          {hosts.map(host => (
            <li key={host} className={styles.rule}>
              <div className={styles.what}>
                <p>
                  <strong>Always shown from</strong> {host}
                </p>
              </div>
              <Button
                size="small"
                disabled={busy}
                aria-label={`Revoke: pictures from ${host}`}
                onClick={() =>
                  void run(() =>
                    request('settings.update', { pictureHosts: hosts.filter(other => other !== host) }),
                  )
                }
              >
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      {error && <Callout tone="danger" error={error} />}
    </section>
  );
}
