import { ShieldQuestion } from 'lucide-react';
import type { AskOf } from '../../shared/asks.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import styles from './ApprovalCard.module.css';
import { AskCard } from './AskCard.tsx';
import { Clipped } from './Clipped.tsx';
import { claimsOf } from './claims.ts';
import { HiddenText } from './HiddenText.tsx';
import { JsonView } from './JsonView.tsx';
import { useAnswer } from './useAnswer.ts';
import { useSettled } from './useSettled.ts';

/** May this tool run with these arguments? */
export function ApprovalCard({ ask }: { ask: AskOf<'approval'> }) {
  const { answer, busy, error } = useAnswer(ask);
  const settled = useSettled();
  const disabled = busy || !settled;
  const claims = claimsOf(ask.annotations);
  const title = ask.title ?? ask.tool;
  return (
    <AskCard
      icon={<ShieldQuestion size={18} />}
      server={ask.server}
      lead={
        title === ask.tool ? (
          'a tool of the server'
        ) : (
          <>
            <code>
              <HiddenText text={ask.tool} />
            </code>
            , a tool of the server
          </>
        )
      }
      title={
        <>
          Allow “<HiddenText text={title} />
          ”?
        </>
      }
      error={error}
      actions={
        <>
          <Button variant="primary" disabled={disabled} onClick={() => answer({ action: 'allow' })}>
            Allow once
          </Button>
          <Button disabled={disabled} onClick={() => answer({ action: 'allowAlways' })}>
            Always allow this tool
          </Button>
          <Button disabled={disabled} onClick={() => answer({ action: 'deny' })}>
            Deny
          </Button>
          <Button variant="ghost" disabled={disabled} onClick={() => answer({ action: 'stop' })}>
            Stop
          </Button>
        </>
      }
    >
      {ask.changed && (
        <Callout tone="warning" title="This tool has changed">
          You allowed it before, but its server now describes it differently. Look again before you allow it.
        </Callout>
      )}
      <section className={styles.arguments} aria-label="Arguments">
        {Object.keys(ask.args).length === 0 ? <p>No arguments.</p> : <JsonView value={ask.args} />}
      </section>
      {claims.length > 0 && <p className={styles.claims}>The server says: {claims.join(', ')}.</p>}
      {ask.description && (
        <div className={styles.description}>
          <Clipped>
            <HiddenText text={ask.description} />
          </Clipped>
        </div>
      )}
    </AskCard>
  );
}
