import type { Ask } from '../../shared/asks.ts';
import { act } from '../stores/app.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import styles from './FloodBar.module.css';
import { HiddenText } from './HiddenText.tsx';

/** From how many further questions of one server on a person is offered to be rid of them at once. */
export const FLOOD = 2;

/** One server asks and asks: how often, and how that ends. */
export function FloodBar({ ask, more }: { ask: Ask; more: number }) {
  const { server, conversationId } = ask;
  const about = { server, ...(conversationId === undefined ? {} : { conversationId }) };
  return (
    <section className={styles.bar} aria-label="Further questions">
      <p>
        <HiddenText text={server} /> has {more} more questions for you.
      </p>
      <Button size="small" onClick={() => act(request('asks.declineAll', about))}>
        Decline all {more + 1}
      </Button>
      <Button size="small" onClick={() => act(request('asks.mute', { ...about, muted: true }))}>
        {conversationId === undefined ? 'Mute this server' : 'Mute it in this conversation'}
      </Button>
    </section>
  );
}
