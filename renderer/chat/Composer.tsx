import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { act, go } from '../stores/app.ts';
import { registerComposer, stopTurn } from '../stores/commands.ts';
import { ensureConversation, useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { belongsToInputMethod } from '../ui/inputMethod.ts';
import styles from './Composer.module.css';

/** Where the person writes: Enter sends, Shift+Enter breaks the line, Esc stops a running turn. */
export function Composer() {
  const openId = useConversations(state => state.openId);
  const running = useConversations(state => openId !== undefined && openId in state.turns);
  const [text, setText] = useDraft(openId);
  const [failure, setFailure] = useState<{ conversationId: string | undefined; error: ErrorInfo }>();
  const error = failure?.conversationId === openId ? failure?.error : undefined;
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    registerComposer(field.current);
    field.current?.focus();
    return () => registerComposer(null);
  }, []);

  useStopKey(running);

  const send = async () => {
    const message = wellFormed(text);
    if (message.trim() === '' || running || sending) return;
    setText('');
    setFailure(undefined);
    setSending(true);
    field.current?.focus();
    let conversationId = openId;
    try {
      conversationId = await ensureConversation();
      await request('chat.send', { conversationId, text: message });
    } catch (reason) {
      // Back to where it was written, before what has been written there since.
      setDraft(conversationId, [message, drafts.get(conversationId)].filter(Boolean).join('\n'));
      setFailure({ conversationId, error: toErrorInfo(reason) });
    } finally {
      setSending(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (belongsToInputMethod(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void send();
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
            onClick={() => act(stopTurn())}
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

/** While a turn runs, Esc stops it, unless the key belongs to a menu, a dialog or another field. */
function useStopKey(running: boolean): void {
  useEffect(() => {
    if (!running) return;
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || belongsToInputMethod(event)) return;
      if (event.target instanceof Element && event.target.closest(OTHER_PLACES)) return;
      event.preventDefault();
      act(stopTurn());
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [running]);
}

const OTHER_PLACES =
  'input, textarea:not([aria-label="Message"]), [role="dialog"], [role="menu"], [role="listbox"]';

const drafts = new Map<string | undefined, string>();

function setDraft(conversationId: string | undefined, text: string): void {
  if (text === '') drafts.delete(conversationId);
  else drafts.set(conversationId, text);
}

/** What is written but not sent, kept for each conversation as long as the window is open. */
function useDraft(conversationId: string | undefined): [string, (text: string) => void] {
  const [, redraw] = useState(0);
  const set = (text: string) => {
    setDraft(conversationId, text);
    redraw(count => count + 1);
  };
  return [drafts.get(conversationId) ?? '', set];
}

/** Unix line ends, and nothing that cannot be encoded. */
function wellFormed(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\u0000', '').toWellFormed();
}
