import { ArrowUp, Paperclip, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Attachment } from '../../shared/attachments.ts';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { act, go } from '../stores/app.ts';
import { registerComposer, stopTurn } from '../stores/commands.ts';
import { ensureConversation, useConversations } from '../stores/conversations.ts';
import { draftOf, loadDraft, setDraft, useDraft } from '../stores/drafts.ts';
import { loadEdits, startEdit } from '../stores/edits.ts';
import { request } from '../stores/host.ts';
import { showMessage } from '../stores/openBranch.ts';
import { useQueues } from '../stores/queues.ts';
import { saveDrafts } from '../stores/saveLater.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { belongsToInputMethod } from '../ui/inputMethod.ts';
import { AttachmentList } from './AttachmentList.tsx';
import styles from './Composer.module.css';
import { takeBack } from './Queue.tsx';
import { wellFormed } from './readFile.ts';
import { useAttach } from './useAttach.ts';
import { useCommands } from './useCommands.tsx';
import { useMentions } from './useMentions.tsx';

/**
 * Where the person writes: Enter sends, or queues while a turn runs, Shift+Enter breaks the line, Esc stops a running
 * turn, the up-arrow in an empty field edits what was sent or queued last.
 */
export function Composer() {
  const openId = useConversations(state => state.openId);
  const running = useConversations(state => openId !== undefined && openId in state.turns);
  const { text, attachments } = useDraft(openId);
  const [failure, setFailure] = useState<{ conversationId: string | undefined; error: ErrorInfo }>();
  const error = failure?.conversationId === openId ? failure?.error : undefined;
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const showError = (error: ErrorInfo | undefined) => setFailure(error && { conversationId: openId, error });
  const [caret, setCaret] = useState(0);
  const attach = useAttach(openId, showError);
  const mentions = useMentions(openId, { text, caret }, showError);
  const commands = useCommands(openId, text, running);
  const nothing = text.trim() === '' && attachments.length === 0;

  useEffect(() => {
    registerComposer(field.current);
    field.current?.focus();
    return () => registerComposer(null);
  }, []);

  useEffect(() => {
    act(loadDraft(openId));
    act(loadEdits(openId));
  }, [openId]);
  useEffect(() => {
    window.addEventListener('pagehide', saveDrafts);
    return () => window.removeEventListener('pagehide', saveDrafts);
  }, []);
  useStopKey(running);

  const setText = (value: string) => setDraft(openId, { text: value });
  const send = async () => {
    const message = wellFormed(text);
    if (nothing || sending) return;
    setDraft(openId, { text: '', attachments: [] });
    setFailure(undefined);
    setSending(true);
    field.current?.focus();
    let conversationId = openId;
    try {
      conversationId = await ensureConversation();
      await request('chat.send', { conversationId, text: message, attachments });
    } catch (reason) {
      // Back to where it was written, before what has been written there since.
      const since = draftOf(conversationId);
      setDraft(conversationId, {
        text: [message, since.text].filter(Boolean).join('\n'),
        attachments: [...attachments, ...since.attachments],
      });
      setFailure({ conversationId, error: toErrorInfo(reason) });
    } finally {
      setSending(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (belongsToInputMethod(event)) return;
    if (commands.takesKey(event) || mentions.takesKey(event) || attach.undoPaste(event))
      event.preventDefault();
    else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void send();
    } else if (event.key === 'ArrowUp' && nothing) {
      if (editLast(openId, running)) event.preventDefault();
    }
  };
  /** Absent for what is no text of the person, or so long that a field with it would be slow. */
  const intoText = (attachment: Attachment) => {
    if (attachment.type !== 'attachment' || attachment.from || attachment.text.length > LONGEST_IN_FIELD)
      return undefined;
    return () => {
      const rest = attachments.filter(one => one !== attachment);
      setDraft(openId, { text: text + attachment.text, attachments: rest });
      field.current?.focus();
    };
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
      {commands.menu}
      {mentions.menu}
      <AttachmentList
        className={styles.attachments}
        attachments={attachments}
        onChange={left => {
          setDraft(openId, { attachments: left });
          field.current?.focus();
        }}
        intoText={intoText}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a place to drop files on; the button does the same */}
      <div
        className={styles.composer}
        onDragOver={event => event.dataTransfer.types.includes('Files') && event.preventDefault()}
        onDrop={attach.onDrop}
      >
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          onChange={event => {
            void attach.addFiles([...(event.target.files ?? [])]);
            event.target.value = '';
            field.current?.focus();
          }}
        />
        <IconButton label="Attach files" onClick={() => picker.current?.click()}>
          <Paperclip size={17} aria-hidden="true" />
        </IconButton>
        <textarea
          ref={field}
          className={styles.field}
          aria-label="Message"
          placeholder={
            running
              ? 'Write the next message; it waits for its turn'
              : 'Write a message; @ attaches a resource'
          }
          rows={1}
          value={text}
          onChange={event => {
            attach.forgetPaste();
            setText(event.target.value);
            setCaret(event.target.selectionStart);
          }}
          onSelect={event => setCaret(event.currentTarget.selectionStart)}
          onPaste={attach.onPaste}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          {...(commands.open ? commands.field : mentions.field)}
          onKeyDown={onKeyDown}
        />
        {running && (
          <button
            type="button"
            className={styles.button}
            aria-label="Stop"
            title="Stop (Esc)"
            onClick={() => act(stopTurn())}
          >
            <Square size={16} aria-hidden="true" fill="currentColor" />
          </button>
        )}
        {(!running || !nothing) && (
          <button
            type="button"
            className={styles.button}
            aria-label={running ? 'Queue' : 'Send'}
            title={running ? 'Send when the answer is complete (Enter)' : 'Send (Enter)'}
            disabled={nothing || sending}
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

/** In characters. */
const LONGEST_IN_FIELD = 100_000;

const OTHER_PLACES =
  'input, textarea:not([aria-label="Message"]), [role="dialog"], [role="menu"], [role="listbox"]';

/** Begins to edit what the person wrote last in the open conversation; while a turn runs, what waits last. Returns whether there is such. */
function editLast(conversationId: string | undefined, running: boolean): boolean {
  const waiting = conversationId && useQueues.getState().queues[conversationId]?.messages.at(-1);
  if (waiting) act(takeBack(conversationId, waiting.id));
  if (waiting || running) return waiting !== undefined;
  const { messages, hasEarlier, hasLater } = useConversations.getState();
  const last = hasLater ? undefined : messages?.findLast(({ role }) => role === 'user');
  if (last) startEdit(last, 'composer');
  else if (conversationId && (hasEarlier || hasLater)) act(editLastElsewhere(conversationId));
  else return false;
  return true;
}

/** The same where that message is not in the page. */
async function editLastElsewhere(conversationId: string): Promise<void> {
  const messageId = (await request('conversations.own', { conversationId })).at(-1)?.messageId;
  if (messageId === undefined) return;
  await showMessage(messageId);
  const message = useConversations.getState().messages?.find(({ id }) => id === messageId);
  if (message) startEdit(message, 'composer');
}
