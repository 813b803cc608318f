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
      <Button size="small" disabled={stopping.busy} onClick={stop}>
        Stop this call
      </Button>
      {stopping.error && <Callout tone="danger" error={stopping.error} />}
    </div>
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
