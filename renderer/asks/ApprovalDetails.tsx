import type { AskOf } from '../../shared/asks.ts';
import { claimsOf } from '../../shared/claims.ts';
import styles from './ApprovalDetails.module.css';
import { Clipped } from './Clipped.tsx';
import { HiddenText } from './HiddenText.tsx';
import { JsonView } from './JsonView.tsx';

/** What one decides a call by: its arguments, complete, and what the server says of the tool. */
export function ApprovalDetails({ ask }: { ask: AskOf<'approval'> }) {
  const claims = claimsOf(ask.annotations);
  return (
    <>
      <div className={styles.arguments}>
        {Object.keys(ask.args).length === 0 ? <p>No arguments.</p> : <JsonView value={ask.args} />}
      </div>
      {claims.length > 0 && <p className={styles.claims}>The server says: {claims.join(', ')}.</p>}
      {ask.description && (
        <div className={styles.description}>
          <Clipped>
            <HiddenText text={ask.description} />
          </Clipped>
        </div>
      )}
    </>
  );
}
