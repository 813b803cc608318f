import { CornerDownRight, GitFork, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Message } from '../../shared/chat.ts';
import { act } from '../stores/app.ts';
import { focusComposer } from '../stores/commands.ts';
import { isLast, useConversations } from '../stores/conversations.ts';
import { startEdit } from '../stores/edits.ts';
import { request } from '../stores/host.ts';
import { openConversation } from '../stores/openBranch.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { BranchSwitcher } from './BranchSwitcher.tsx';
import { DeleteFromDialog } from './DeleteFromDialog.tsx';
import styles from './MessageActions.module.css';
import { toolbarKeys } from './toolbarKeys.ts';

const RUNNING = 'wait for the answer, or stop it';

/**
 * What can be done with a message: a row that shows itself on hover and focus, and stays at the last message. One stop
 * for Tab; the arrows and a letter for each action do the rest.
 */
export function MessageActions({ message }: { message: Message }) {
  const { id, conversationId } = message;
  const own = message.role === 'user';
  const isTheLast = useConversations(state => isLast(state, id));
  const off = useConversations(state => (conversationId in state.turns ? RUNNING : undefined));
  const [deleting, setDeleting] = useState(false);
  // An answer that only led to calls is followed by the one that they led to.
  if (message.status === 'streaming' || (isOnTheWay(message) && !isTheLast && !message.versions)) return null;

  /** What is below may go, with the button that was pressed. */
  const run = (work: Promise<void>) => {
    act(work);
    focusComposer();
  };
  const fork = async () => {
    const { id: fork } = await request('conversations.fork', { conversationId, messageId: id });
    await openConversation(fork);
    focusComposer();
  };
  const switcher = <BranchSwitcher message={message} off={off} />;
  const markdown = () => toMarkdown(message);
  return (
    <div
      className={styles.actions}
      data-last={isTheLast}
      role="toolbar"
      aria-label="What to do with this message"
      // It comes with the end of an answer, which is what there is to be read out.
      aria-live="off"
      onKeyDown={toolbarKeys}
    >
      {!own && switcher}
      {own && (
        <Action isFirst label="Edit message" keys="E" off={off} onClick={() => startEdit(message, 'message')}>
          <Pencil size={15} aria-hidden="true" />
        </Action>
      )}
      <Action
        isFirst={!own}
        label={own ? 'Answer again' : 'Regenerate answer'}
        keys="R"
        off={off}
        onClick={() => run(request('chat.regenerate', { conversationId, messageId: id }))}
      >
        <RefreshCw size={15} aria-hidden="true" />
      </Action>
      {isTheLast && canContinue(message) && (
        <Action
          label="Continue"
          keys="G"
          off={off}
          onClick={() => run(request('chat.resume', { conversationId }))}
        >
          <CornerDownRight size={15} aria-hidden="true" />
        </Action>
      )}
      {markdown() !== '' && (
        <CopyButton label="Copy message" text={markdown} aria-keyshortcuts="C" tabIndex={-1} />
      )}
      <Action label="Fork from here" keys="F" off={undefined} onClick={() => act(fork())}>
        <GitFork size={15} aria-hidden="true" />
      </Action>
      <Action label="Delete from here" keys="Delete" off={off} onClick={() => setDeleting(true)}>
        <Trash2 size={15} aria-hidden="true" />
      </Action>
      {own && switcher}
      {deleting && <DeleteFromDialog message={message} onClose={() => setDeleting(false)} />}
    </div>
  );
}

interface ActionProps {
  /** The one that Tab comes to. */
  isFirst?: boolean;
  label: string;
  /** The key that does it while the row has the focus. */
  keys: string;
  /** Why it cannot be done right now. */
  off: string | undefined;
  onClick(): void;
  children: ReactNode;
}

function Action({ isFirst = false, label, keys, off, onClick, children }: ActionProps) {
  return (
    <IconButton
      label={off === undefined ? label : `${label}: ${off}`}
      aria-keyshortcuts={keys}
      aria-disabled={off !== undefined}
      tabIndex={isFirst ? 0 : -1}
      onClick={() => off === undefined && onClick()}
    >
      {children}
    </IconButton>
  );
}

function isOnTheWay({ status, stopReason }: Message): boolean {
  return status === 'complete' && (stopReason === 'tool_use' || stopReason === 'pause_turn');
}

/** Where a notice offers it already, that is enough. */
function canContinue(message: Message): boolean {
  const isOpen = message.status === 'incomplete' || isOnTheWay(message);
  const isOffered = message.blocks.some(block => block.type === 'notice' && block.level !== 'info');
  return message.role === 'assistant' && isOpen && !isOffered;
}

/** What is written in it. Models write Markdown, and what a person writes is sent as it is. */
function toMarkdown({ blocks }: Message): string {
  return blocks
    .flatMap(block => (block.type === 'text' && block.text.trim() !== '' ? [block.text] : []))
    .join('\n\n');
}
