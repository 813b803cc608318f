import { ChevronRight } from 'lucide-react';
import type { ServerView } from '../../shared/servers.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { openServer } from '../stores/app.ts';
import { Button } from '../ui/Button.tsx';
import { ServerActions } from './ServerActions.tsx';
import styles from './ServerCard.module.css';
import { ServerHead } from './ServerHead.tsx';

/** One server: how it is, what to do when it is not well, and the way to everything else about it. */
export function ServerCard({ server }: { server: ServerView }) {
  const { name } = server;
  const notes = new Set(server.notes).size;
  return (
    <fieldset className={styles.card} aria-label={name}>
      <ServerHead server={server}>
        <h2 className={styles.name}>
          <button type="button" className={styles.open} onClick={() => openServer(name)}>
            <HiddenText text={name} />
          </button>
        </h2>
      </ServerHead>
      <div className={styles.actions}>
        <Button size="small" onClick={() => openServer(name)}>
          {notes === 0 ? 'Details' : `Details (${notes} ${notes === 1 ? 'note' : 'notes'})`}
          <ChevronRight size={14} aria-hidden="true" />
        </Button>
        <ServerActions server={server} />
      </div>
    </fieldset>
  );
}
