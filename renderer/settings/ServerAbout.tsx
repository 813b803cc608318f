import type { ServerView } from '../../shared/servers.ts';
import { Clipped } from '../asks/Clipped.tsx';
import { HiddenText } from '../asks/HiddenText.tsx';
import { RunDetails } from './RunDetails.tsx';
import styles from './ServerAbout.module.css';

/** What a server says of itself, what was odd about it, and how it is reached. */
export function ServerAbout({ server }: { server: ServerView }) {
  const { serverInfo, instructions, notes, config } = server;
  return (
    <div className={styles.about}>
      {serverInfo && (
        <p>
          It calls itself{' '}
          <strong>
            <HiddenText text={serverInfo.title ?? serverInfo.name} />
          </strong>
          {serverInfo.version && (
            <>
              {' '}
              version <HiddenText text={serverInfo.version} />
            </>
          )}
          .
        </p>
      )}
      {instructions && (
        <section>
          <h3>Instructions, in the server's words</h3>
          <blockquote className={styles.quote}>
            <Clipped>
              <HiddenText text={instructions} />
            </Clipped>
          </blockquote>
        </section>
      )}
      {notes.length > 0 && (
        <section>
          <h3>Notes</h3>
          <ul className={styles.notes}>
            {[...new Set(notes)].map(note => (
              <li key={note}>
                <HiddenText text={note} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3>{config.type === 'stdio' ? 'What runs' : 'Where it is'}</h3>
        <RunDetails config={config} />
      </section>
    </div>
  );
}
