import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { act, go } from '../stores/app.ts';
import { registerComposer, stopTurn } from '../stores/commands.ts';
import { ensureConversation, useConversations } from '../stores/conversations.ts';
import { draftOf, loadDraft, saveDrafts, setDraft, useDraft } from '../stores/drafts.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { belongsToInputMethod } from '../ui/inputMethod.ts';
import styles from './Composer.module.css';

/**
 * Where the person writes: Enter sends, Shift+Enter breaks the line, Esc stops a running turn, the up-arrow in an empty
 * field brings back what was sent last.
 */
export function Composer() {
  const openId = useConversations(state => state.openId);
  const running = useConversations(state => openId !== undefined && openId in state.turns);
  const { text } = useDraft(openId);
  const [failure, setFailure] = useState<{ conversationId: string | undefined; error: ErrorInfo }>();
  const error = failure?.conversationId === openId ? failure?.error : undefined;
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    registerComposer(field.current);
    field.current?.focus();
    return () => registerComposer(null);
  }, []);

  useEffect(() => act(loadDraft(openId)), [openId]);
  useEffect(() => {
    window.addEventListener('pagehide', saveDrafts);
    return () => window.removeEventListener('pagehide', saveDrafts);
  }, []);
  useStopKey(running);

  const setText = (value: string) => setDraft(openId, { text: value });
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
      setDraft(conversationId, { text: [message, draftOf(conversationId).text].filter(Boolean).join('\n') });
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
    } else if (event.key === 'ArrowUp' && text === '') {
      const last = lastOwnText();
      if (last === '') return;
      event.preventDefault();
      setText(last);
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

/** What the person wrote last in the open conversation. */
function lastOwnText(): string {
  const last = useConversations.getState().messages?.findLast(({ role }) => role === 'user');
  return (last?.blocks ?? []).flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n\n');
}

/** Unix line ends, and nothing that cannot be encoded. */
function wellFormed(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\u0000', '').toWellFormed();
}
