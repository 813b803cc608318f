import { Hourglass } from 'lucide-react';
import type { AskOf } from '../../shared/asks.ts';
import { reviewLink } from '../../shared/linkReview.ts';
import { Button } from '../ui/Button.tsx';
import { AskCard } from './AskCard.tsx';
import { useAnswer } from './useAnswer.ts';

/** The sign-in page is open in the browser. The card goes away by itself when the browser comes back. */
export function SignInWaitingAsk({ ask }: { ask: AskOf<'signInWaiting'> }) {
  const { answer, busy, settled, error } = useAnswer(ask);
  const cancel = () => answer({ action: 'cancel' });
  return (
    <AskCard
      icon={<Hourglass size={18} />}
      server={ask.server}
      lead="for the server"
      title="Finish signing in in your browser"
      error={error}
      onEscape={cancel}
      actions={
        <>
          <Button disabled={busy || !settled} onClick={() => answer({ action: 'openAgain' })}>
            Open the page again
          </Button>
          <Button variant="ghost" disabled={busy} onClick={cancel}>
            Cancel
          </Button>
        </>
      }
    >
      <p>
        The page on <strong>{reviewLink(ask.url).host}</strong> has been opened. Parley goes on by itself when
        you are done there.
      </p>
    </AskCard>
  );
}
