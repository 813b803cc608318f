import { LogIn } from 'lucide-react';
import { useState } from 'react';
import type { AskOf } from '../../shared/asks.ts';
import { reviewLink } from '../../shared/linkReview.ts';
import { Button } from '../ui/Button.tsx';
import { AddressView } from './AddressView.tsx';
import { AskCard } from './AskCard.tsx';
import { HiddenText } from './HiddenText.tsx';
import { KeepPlain } from './KeepPlain.tsx';
import styles from './SignInAsk.module.css';
import { useAnswer } from './useAnswer.ts';

/** A remote server wants the person to be signed in. Nothing is opened before they agree. */
export function SignInAsk({ ask }: { ask: AskOf<'signIn'> }) {
  const { answer, busy, settled, error } = useAnswer(ask);
  const [keep, setKeep] = useState(false);
  const link = reviewLink(ask.url);
  const cancel = () => answer({ action: 'cancel' });
  return (
    <AskCard
      icon={<LogIn size={18} />}
      server={ask.server}
      lead="for the server"
      title={ask.more ? 'Allow more than before?' : 'Sign in?'}
      error={error}
      onEscape={cancel}
      actions={
        <>
          <Button
            variant="primary"
            disabled={busy || !settled || link.blocked !== undefined}
            onClick={() => answer({ action: 'open', acceptPlain: keep })}
          >
            Open the sign-in page
          </Button>
          <Button variant="ghost" disabled={busy} onClick={cancel}>
            Not now
          </Button>
        </>
      }
    >
      <p className={styles.text}>
        {ask.more ? 'What you allowed is not enough for ' : 'You sign in for '}
        <code className={styles.address}>
          <HiddenText text={ask.serverUrl} />
        </code>
        {'. The page opens in your browser, and the answer comes back to Parley.'}
      </p>
      {ask.scope && (
        <p className={styles.text}>
          It asks for:{' '}
          <code className={styles.address}>
            <HiddenText text={ask.scope} />
          </code>
        </p>
      )}
      <AddressView lead="You sign in on" link={link} />
      {!ask.canEncrypt && (
        <KeepPlain checked={keep} onChange={setKeep}>
          Stay signed in after Parley closes
        </KeepPlain>
      )}
    </AskCard>
  );
}
