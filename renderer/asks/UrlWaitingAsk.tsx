import { Hourglass } from 'lucide-react';
import type { AskOf } from '../../shared/asks.ts';
import { reviewLink } from '../../shared/linkReview.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { AddressView } from './AddressView.tsx';
import { AskCard } from './AskCard.tsx';
import { useAnswer } from './useAnswer.ts';

/** A page is open in the browser; the person says when they are done there, unless the server does. */
export function UrlWaitingAsk({ ask }: { ask: AskOf<'urlWaiting'> }) {
  const { answer, busy, settled, error } = useAnswer(ask);
  const cancel = () => answer({ action: 'cancel' });
  return (
    <AskCard
      icon={<Hourglass size={18} />}
      server={ask.server}
      lead="for the server"
      title="Waiting for you to finish in your browser"
      error={error}
      onEscape={cancel}
      actions={
        <>
          <Button
            variant="primary"
            disabled={busy || !settled}
            onClick={() => answer({ action: 'finished' })}
          >
            I have finished
          </Button>
          <Button disabled={busy || !settled} onClick={() => answer({ action: 'openAgain' })}>
            Open the page again
          </Button>
          <Button variant="ghost" disabled={busy} onClick={cancel}>
            Cancel
          </Button>
        </>
      }
    >
      {ask.failed && (
        <Callout tone="warning">
          Your browser could not be opened. You can copy the address and open it yourself.
        </Callout>
      )}
      <AddressView
        lead={ask.failed ? 'The page is on' : 'The page was opened on'}
        link={{ ...reviewLink(ask.url), warnings: [] }}
        action={<CopyButton text={ask.url} label="Copy the address" />}
      />
    </AskCard>
  );
}
