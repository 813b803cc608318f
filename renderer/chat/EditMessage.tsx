import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Message } from '../../shared/chat.ts';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { focusComposer } from '../stores/commands.ts';
import { useConversations } from '../stores/conversations.ts';
import { changeEdit, type Edit, endEdit } from '../stores/edits.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { belongsToInputMethod } from '../ui/inputMethod.ts';
import { AttachmentList } from './AttachmentList.tsx';
import styles from './EditMessage.module.css';
import { wellFormed } from './readFile.ts';

interface Props {
  message: Message;
  edit: Edit;
}

/** A message of the person, to be changed and sent again: Enter sends, Shift+Enter breaks the line, Esc leaves it. */
export function EditMessage({ message, edit: { text, attachments, from } }: Props) {
  const { id, conversationId } = message;
  const running = useConversations(state => conversationId in state.turns);
  const [error, setError] = useState<ErrorInfo>();
  const field = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it came from does not change
  useEffect(() => {
    if (from === 'before') return;
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);
  const isOff = running || (text.trim() === '' && attachments.length === 0);

  const cancel = () => {
    endEdit(message);
    if (from === 'composer') return focusComposer();
    requestAnimationFrame(() =>
      document
        .querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"] [aria-keyshortcuts="E"]`)
        ?.focus(),
    );
  };
  const send = async () => {
    if (isOff) return;
    try {
      await request('chat.edit', { conversationId, messageId: id, text: wellFormed(text), attachments });
      endEdit(message);
      focusComposer();
    } catch (reason) {
      setError(toErrorInfo(reason));
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (belongsToInputMethod(event)) return;
    if (event.key === 'Escape') cancel();
    else if (event.key === 'Enter' && !event.shiftKey) void send();
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.edit}>
      <AttachmentList
        className={styles.attachments}
        attachments={attachments}
        onChange={left => {
          changeEdit(message, { attachments: left });
          field.current?.focus();
        }}
      />
      <textarea
        ref={field}
        className={styles.field}
        aria-label="Edit message"
        rows={1}
        value={text}
        onChange={event => changeEdit(message, { text: event.target.value })}
        onKeyDown={onKeyDown}
      />
      {error && <Callout tone="danger" error={error} />}
      <div className={styles.bar}>
        <p className={styles.note}>
          {running
            ? 'It can be sent when the answer is complete.'
            : 'The old version stays and can be switched back to.'}
        </p>
        <Button size="small" onClick={cancel}>
          Cancel
        </Button>
        <Button size="small" variant="primary" disabled={isOff} onClick={() => void send()}>
          Send
        </Button>
      </div>
    </div>
  );
}
