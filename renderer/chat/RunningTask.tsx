import type { TaskHandle, ToolCallBlock } from '../../shared/chat.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { useAction } from '../settings/useAction.ts';
import { useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import styles from './RunningTask.module.css';

/** A call that the server goes on with by itself, also without Parley: how it is, since when, and how to end it. */
export function RunningTask({ call, task }: { call: ToolCallBlock; task: TaskHandle }) {
  const conversationId = useConversations(state => state.openId);
  const cancelling = useAction();
  const cancel = () =>
    conversationId !== undefined &&
    void cancelling.run(() => request('chat.stopCall', { conversationId, callId: call.id }));
  return (
    <div className={styles.task}>
      <p className={styles.words}>
        <span role="status" className={styles.message}>
          {task.waiting ? 'Waits for your answer. ' : ''}
          {task.message !== undefined && <HiddenText text={task.message} />}
        </span>
        {call.startedAt !== undefined && (
          <span className={styles.since}>started {whenInWords(call.startedAt, Date.now())}</span>
        )}
      </p>
      <Button size="small" disabled={cancelling.busy} onClick={cancel}>
        Cancel
      </Button>
      {cancelling.error && <Callout tone="danger" error={cancelling.error} />}
    </div>
  );
}

/** The time of day, and the day when that was another one. */
function whenInWords(at: number, now: number): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return new Date(at).toLocaleString([], {
    ...(sameDay ? {} : { day: 'numeric', month: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
  });
}
