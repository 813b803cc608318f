import type { AskOf } from '../../shared/asks.ts';
import { announcement } from '../../shared/askWords.ts';
import type { ToolCallBlock } from '../../shared/chat.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { countFor } from '../asks/queue.ts';
import { useAction } from '../settings/useAction.ts';
import { useAsks } from '../stores/asks.ts';
import { useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { elapsedWords } from '../ui/duration.ts';
import { useNow } from '../ui/useNow.ts';
import styles from './RunningCall.module.css';

/** A call that ends sooner needs no words about how long it takes. */
const SHORT_MS = 2000;
/** From then on it is said that nothing has been heard. */
const QUIET_MS = 15_000;

/** A call that takes its time: how far it is, for how long, whether the server still says something; and how to end it. */
export function RunningCall({ call, startedAt }: { call: ToolCallBlock; startedAt: number }) {
  const now = useNow(true);
  const conversationId = useConversations(state => state.openId);
  const waiting = useAsks(state =>
    state.asks.find(
      (ask): ask is AskOf<'keepWaiting'> =>
        ask.kind === 'keepWaiting' && ask.callId === call.id && ask.conversationId === conversationId,
    ),
  );
  const asked = useAsks(state => conversationId !== undefined && countFor(state.asks, conversationId) > 0);
  const stopping = useAction();
  const { progress } = call;
  if (!progress && now - startedAt < SHORT_MS) return null;
  const quietMs = now - (progress?.at ?? startedAt);
  const stop = () =>
    conversationId !== undefined &&
    void stopping.run(() => request('chat.stopCall', { conversationId, callId: call.id }));
  return (
    <div className={styles.running}>
      {progress && <Bar progress={progress} />}
      <span className={styles.time}>
        {elapsedWords(now - startedAt)}
        {quietMs >= QUIET_MS && !asked && `; nothing heard for ${elapsedWords(quietMs)}`}
      </span>
      {!waiting && (
        <Button size="small" disabled={stopping.busy} onClick={stop}>
          Stop this call
        </Button>
      )}
      {waiting && <KeepWaiting ask={waiting} />}
      {stopping.error && <Callout tone="danger" error={stopping.error} />}
    </div>
  );
}

/** Asked on the card itself: it is about nothing else, and the rest of the turn may go on. */
function KeepWaiting({ ask }: { ask: AskOf<'keepWaiting'> }) {
  const answering = useAction();
  const answer = (action: 'keepWaiting' | 'stop') =>
    void answering.run(() => request('asks.answer', { id: ask.id, answer: { action } }));
  return (
    <fieldset aria-label="Keep waiting?" className={styles.question}>
      <span role="status">
        <HiddenText text={announcement(ask)} />
      </span>
      <Button size="small" variant="primary" disabled={answering.busy} onClick={() => answer('keepWaiting')}>
        Keep waiting
      </Button>
      <Button size="small" disabled={answering.busy} onClick={() => answer('stop')}>
        Stop
      </Button>
      {answering.error && <Callout tone="danger" error={answering.error} />}
    </fieldset>
  );
}

function Bar({
  progress: { progress, total, message },
}: {
  progress: NonNullable<ToolCallBlock['progress']>;
}) {
  const counted = total ? `${progress} of ${total}` : String(progress);
  return (
    <>
      {total ? (
        <progress value={progress} max={total} aria-label="Progress" />
      ) : (
        <progress aria-label="Progress" />
      )}
      <span role="status" className={styles.message}>
        {message === undefined ? counted : <HiddenText text={message} />}
      </span>
    </>
  );
}
