import { ArrowDown, ArrowUp, Paperclip, Pencil, SendHorizontal, X } from 'lucide-react';
import type { QueuedMessage } from '../../shared/chat.ts';
import { act } from '../stores/app.ts';
import { focusComposer } from '../stores/commands.ts';
import { useConversations } from '../stores/conversations.ts';
import { draftOf, setDraft } from '../stores/drafts.ts';
import { request } from '../stores/host.ts';
import { useQueues } from '../stores/queues.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import styles from './Queue.module.css';
import { toolbarKeys } from './toolbarKeys.ts';

/** What is to be sent after the answer that is being written, or waits for the person to say so. */
export function Queue({ conversationId }: { conversationId: string | undefined }) {
  const queue = useQueues(({ queues }) =>
    conversationId === undefined ? undefined : queues[conversationId],
  );
  const running = useConversations(
    ({ turns }) => conversationId !== undefined && turns[conversationId] !== undefined,
  );
  if (!queue) return null;
  const { messages, held } = queue;
  const waiting = messages.length === 1 ? 'One message waits' : `${messages.length} messages wait`;
  const place = { conversationId: queue.conversationId };
  return (
    <section className={styles.queue} aria-label="Queue">
      <div className={styles.head}>
        <p className={styles.what} role="status">
          {held ? `${waiting} for you.` : `${waiting}; sent when the answer is complete.`}
        </p>
        {held && (
          <Button size="small" variant="primary" onClick={() => act(request('queue.goOn', place))}>
            {running ? 'Send after this answer' : 'Send'}
          </Button>
        )}
        {held && (
          <Button
            size="small"
            onClick={() => {
              act(request('queue.discard', place));
              focusComposer();
            }}
          >
            Discard
          </Button>
        )}
      </div>
      <ol className={styles.list}>
        {messages.map((message, index) => (
          <Row
            key={message.id}
            message={message}
            index={index}
            count={messages.length}
            running={running}
            conversationId={queue.conversationId}
          />
        ))}
      </ol>
    </section>
  );
}

interface RowProps {
  message: QueuedMessage;
  index: number;
  count: number;
  running: boolean;
  conversationId: string;
}

function Row({ message: { id, text, attachments }, index, count, running, conversationId }: RowProps) {
  const move = (to: number) => act(request('queue.move', { conversationId, id, to }));
  const remove = async () => {
    await request('queue.remove', { conversationId, id });
    focusComposer();
  };
  return (
    <li className={styles.row}>
      {attachments.length > 0 && (
        <span className={styles.attached}>
          <Paperclip size={13} role="img" aria-label="Attached:" />
          {attachments.length}
        </span>
      )}
      <span className={styles.text} title={text.slice(0, 1000)}>
        {text.trim().slice(0, 300) || attachments[0]?.name}
      </span>
      <span
        className={styles.actions}
        role="toolbar"
        aria-label="What to do with this waiting message"
        onKeyDown={toolbarKeys}
      >
        <IconButton
          label={running ? 'Stop the answer and send this now' : 'Send this now'}
          onClick={() => act(request('queue.sendNow', { conversationId, id }))}
        >
          <SendHorizontal size={15} aria-hidden="true" />
        </IconButton>
        <IconButton
          label="Send earlier"
          tabIndex={-1}
          aria-disabled={index === 0}
          onClick={() => index > 0 && move(index - 1)}
        >
          <ArrowUp size={15} aria-hidden="true" />
        </IconButton>
        <IconButton
          label="Send later"
          tabIndex={-1}
          aria-disabled={index === count - 1}
          onClick={() => index < count - 1 && move(index + 1)}
        >
          <ArrowDown size={15} aria-hidden="true" />
        </IconButton>
        <IconButton
          label="Edit waiting message"
          tabIndex={-1}
          onClick={() => act(takeBack(conversationId, id))}
        >
          <Pencil size={15} aria-hidden="true" />
        </IconButton>
        <IconButton label="Remove waiting message" tabIndex={-1} onClick={() => act(remove())}>
          <X size={15} aria-hidden="true" />
        </IconButton>
      </span>
    </li>
  );
}

/** Takes a message out of the queue and puts it back into the composer, before what is written there. */
export async function takeBack(conversationId: string, id: string): Promise<void> {
  const { text, attachments } = await request('queue.remove', { conversationId, id });
  const since = draftOf(conversationId);
  setDraft(conversationId, {
    text: [text, since.text].filter(Boolean).join('\n'),
    attachments: [...attachments, ...since.attachments],
  });
  focusComposer();
}
