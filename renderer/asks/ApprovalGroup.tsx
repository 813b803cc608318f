import { ShieldQuestion } from 'lucide-react';
import type { AskOf } from '../../shared/asks.ts';
import { Button } from '../ui/Button.tsx';
import { ApprovalDetails } from './ApprovalDetails.tsx';
import styles from './ApprovalGroup.module.css';
import { AskCard } from './AskCard.tsx';
import { HiddenText } from './HiddenText.tsx';
import { useAnswers } from './useAnswer.ts';

interface Props {
  asks: readonly AskOf<'approval'>[];
  onOneByOne(): void;
}

/** May these calls run? All of them are shown whole, and are answered with one word. */
export function ApprovalGroup({ asks, onOneByOne }: Props) {
  const { answerAll, busy, settled, error } = useAnswers(asks);
  const servers = [...new Set(asks.map(({ server }) => server))];
  return (
    <AskCard
      icon={<ShieldQuestion size={18} />}
      server={servers.join(', ')}
      lead={servers.length === 1 ? 'tools of the server' : 'tools of the servers'}
      title={`Allow these ${asks.length} calls?`}
      error={error}
      actions={
        <>
          <Button
            variant="primary"
            disabled={busy || !settled}
            onClick={() => answerAll({ action: 'allow' })}
          >
            Allow all {asks.length} once
          </Button>
          <Button disabled={busy} onClick={() => answerAll({ action: 'deny' })}>
            Deny all {asks.length}
          </Button>
          <Button disabled={busy} onClick={onOneByOne}>
            One by one
          </Button>
          <Button variant="ghost" disabled={busy} onClick={() => answerAll({ action: 'stop' })}>
            Stop
          </Button>
        </>
      }
    >
      <ol className={styles.calls}>
        {asks.map(ask => (
          <li key={ask.id}>
            <p className={styles.name}>
              <HiddenText text={ask.server} /> ·{' '}
              <strong>
                <HiddenText text={ask.title ?? ask.tool} />
              </strong>
            </p>
            <ApprovalDetails ask={ask} />
          </li>
        ))}
      </ol>
    </AskCard>
  );
}
