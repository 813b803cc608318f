import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { go } from '../stores/app.ts';
import { registerComposer, stopTurn } from '../stores/commands.ts';
import { sendMessage, useConversations } from '../stores/conversations.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { belongsToInputMethod } from '../ui/inputMethod.ts';
import styles from './Composer.module.css';

const MAX_HEIGHT = 240;

/** Where the person writes: Enter sends, Shift+Enter breaks the line, Esc stops a running turn. */
export function Composer() {
  const openId = useConversations(state => state.openId);
  const running = useConversations(state => openId !== undefined && openId in state.turns);
  const [text, setText] = useDraft(openId);
  const [error, setError] = useState<ErrorInfo>();
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    registerComposer(field.current);
    field.current?.focus();
    return () => registerComposer(null);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => fitHeight(field.current), [text]);

  const send = async () => {
    const message = wellFormed(text);
    if (message.trim() === '' || running || sending) return;
    setText('');
    setError(undefined);
    setSending(true);
    try {
      await sendMessage(message);
    } catch (reason) {
      setText(message);
      setError(toErrorInfo(reason));
    } finally {
      setSending(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (belongsToInputMethod(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void send();
    } else if (event.key === 'Escape' && running) {
      event.preventDefault();
      void stopTurn();
    }
  };
  return (
    <>
      {error && (
        <Callout error={error}>
          {error.code.startsWith('model.') && (
            <Button size="small" onClick={() => go('model')}>
              Open Model
            </Button>
          )}
        </Callout>
      )}
      <div className={styles.composer}>
        <textarea
          ref={field}
          className={styles.field}
          aria-label="Message"
          placeholder={running ? 'Write the next message' : 'Write a message'}
          rows={1}
          value={text}
          onChange={event => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {running ? (
          <button
            type="button"
            className={styles.button}
            aria-label="Stop"
            title="Stop (Esc)"
            onClick={() => void stopTurn()}
          >
            <Square size={16} aria-hidden="true" fill="currentColor" />
          </button>
        ) : (
          <button
            type="button"
            className={styles.button}
            aria-label="Send"
            title="Send (Enter)"
            disabled={text.trim() === '' || sending}
            onClick={() => void send()}
          >
            <ArrowUp size={18} aria-hidden="true" />
          </button>
        )}
      </div>
    </>
  );
}

const drafts = new Map<string | undefined, string>();

/** What is written but not sent, kept for each conversation as long as the window is open. */
function useDraft(conversationId: string | undefined): [string, (text: string) => void] {
  const [, redraw] = useState(0);
  const set = (text: string) => {
    if (text === '') drafts.delete(conversationId);
    else drafts.set(conversationId, text);
    redraw(count => count + 1);
  };
  return [drafts.get(conversationId) ?? '', set];
}

/** Unix line ends, and nothing that cannot be encoded. */
function wellFormed(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\u0000', '').toWellFormed();
}

function fitHeight(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.style.height = 'auto';
  field.style.height = `${Math.min(MAX_HEIGHT, field.scrollHeight)}px`;
}
