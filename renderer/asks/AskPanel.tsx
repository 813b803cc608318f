import { useEffect, useMemo, useRef, useState } from 'react';
import type { Ask } from '../../shared/asks.ts';
import { announcement } from '../../shared/askWords.ts';
import { useAsks } from '../stores/asks.ts';
import { focusComposer } from '../stores/commands.ts';
import { Button } from '../ui/Button.tsx';
import { AnyAsk } from './AnyAsk.tsx';
import { ApprovalGroup } from './ApprovalGroup.tsx';
import styles from './AskPanel.module.css';
import { useDrafts } from './drafts.ts';
import { FLOOD, FloodBar } from './FloodBar.tsx';
import { asksFor, callsWith, moreOfServer } from './queue.ts';

/** The open questions of a conversation, one at a time, above its composer. */
export function AskPanel({ conversationId }: { conversationId: string | undefined }) {
  const asks = useAsks(state => state.asks);
  const queue = useMemo(() => asksFor(asks, conversationId), [asks, conversationId]);
  const keepDrafts = useDrafts(state => state.keep);
  useEffect(() => keepDrafts(asks.map(({ id }) => id)), [asks, keepDrafts]);

  // After the last answer the keyboard goes back to where the person was before, if it is nowhere else by now.
  const [first] = queue;
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current && !first && document.activeElement === document.body) focusComposer();
    asked.current = first !== undefined;
  }, [first]);

  return (
    <div className={styles.panel} hidden={!first}>
      <p role="status" className={styles.status}>
        {first && announcement(first)}
      </p>
      {first && <Queue queue={queue} first={first} />}
    </div>
  );
}

/** The first question, and how many wait behind it; calls of one conversation can be answered together. */
function Queue({ queue, first }: { queue: readonly Ask[]; first: Ask }) {
  const [together, setTogether] = useState(false);
  const calls = first.kind === 'approval' ? callsWith(queue, first) : [];
  const more = moreOfServer(queue, first);
  if (together && calls.length > 1)
    return <ApprovalGroup asks={calls} onOneByOne={() => setTogether(false)} />;
  return (
    <>
      {queue.length > 1 && (
        <div className={styles.queue}>
          <p>{`1 of ${queue.length} questions`}</p>
          {calls.length > 1 && (
            <Button size="small" onClick={() => setTogether(true)}>
              Answer {calls.length} calls together
            </Button>
          )}
        </div>
      )}
      {more >= FLOOD && <FloodBar ask={first} more={more} />}
      <AnyAsk key={first.id} ask={first} />
    </>
  );
}
