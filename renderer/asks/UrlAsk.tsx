import { ExternalLink } from 'lucide-react';
import type { AskOf } from '../../shared/asks.ts';
import { reviewLink } from '../../shared/linkReview.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { AddressView } from './AddressView.tsx';
import { AskCard } from './AskCard.tsx';
import { HiddenText } from './HiddenText.tsx';
import styles from './UrlAsk.module.css';
import { useAnswer } from './useAnswer.ts';

/** A server wants a page opened. The address is text: the only way there is the button. */
export function UrlAsk({ ask }: { ask: AskOf<'urlElicitation'> }) {
  const { answer, busy, settled, error } = useAnswer(ask);
  const link = reviewLink(ask.url, ask.serverHost);
  const cancel = () => answer({ action: 'cancel' });
  return (
    <AskCard
      icon={<ExternalLink size={18} />}
      server={ask.server}
      lead="asked by the server"
      title="Open a page in your browser?"
      error={error}
      onEscape={cancel}
      actions={
        <>
          <Button
            variant="primary"
            disabled={busy || !settled || link.blocked !== undefined}
            onClick={() => answer({ action: 'accept' })}
          >
            Open in browser
          </Button>
          <Button disabled={busy || !settled} onClick={() => answer({ action: 'decline' })}>
            Decline
          </Button>
          <Button variant="ghost" disabled={busy} onClick={cancel}>
            Cancel
          </Button>
        </>
      }
    >
      {ask.again && (
        <Callout tone="warning">
          You said that you had finished there, but the server asks for the same page again.
        </Callout>
      )}
      <p className={styles.message}>
        <HiddenText text={ask.message} />
      </p>
      <AddressView lead="The page is on" link={link} />
    </AskCard>
  );
}
