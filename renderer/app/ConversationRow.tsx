import { CircleHelp, Ellipsis, Pin, ShieldOff } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { KeyboardEvent } from 'react';
import type { Conversation } from '../../shared/chat.ts';
import { countFor } from '../asks/queue.ts';
import { act, go, useApp } from '../stores/app.ts';
import { useAsks } from '../stores/asks.ts';
import { useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';
import { openConversation } from '../stores/openBranch.ts';
import { useRules } from '../stores/rules.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import styles from './ConversationList.module.css';

interface Props {
  conversation: Conversation;
  onRename(): void;
  onDelete(): void;
  onMove(): void;
  onSelect(): void;
}

/** One conversation in the list: opens it, and says what goes on in it. Ctrl or Cmd with a click selects it. */
export function ConversationRow({ conversation, onRename, onDelete, onMove, onSelect }: Props) {
  const { id, title } = conversation;
  const onChat = useApp(state => state.route === 'chat');
  const open = useConversations(state => state.openId === id) && onChat;
  const running = useConversations(state => id in state.turns);
  const fullAuto = useRules(({ conversations }) => conversations[id]?.fullAuto !== undefined);
  const waiting = useAsks(state => countFor(state.asks, id));
  const show = () => {
    go('chat');
    act(openConversation(id));
  };
  const mark = (marks: { pinned?: boolean; archived?: boolean }) =>
    act(request('conversations.mark', { conversationId: id, ...marks }));
  const exportAs = (format: 'markdown' | 'json') =>
    act(request('app.exportConversations', { ids: [id], format }));
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'F2') onRename();
    else if (event.key === 'Delete') onDelete();
    else if (event.key === 'ArrowDown') moveFocus(event.currentTarget, 1);
    else if (event.key === 'ArrowUp') moveFocus(event.currentTarget, -1);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.row} data-open={open}>
      <button
        type="button"
        className={styles.title}
        aria-current={open ? 'page' : undefined}
        onClick={event => (event.ctrlKey || event.metaKey ? onSelect() : show())}
        onKeyDown={onKeyDown}
        title={title}
      >
        {conversation.pinned && <Pin className={styles.pin} size={13} aria-label="Pinned" />}
        {title}
      </button>
      {fullAuto && (
        <span
          className={styles.fullAuto}
          role="img"
          aria-label="Runs without asking"
          title="Runs without asking"
        >
          <ShieldOff size={15} aria-hidden="true" />
        </span>
      )}
      {waiting > 0 ? (
        <span
          className={styles.waiting}
          role="img"
          aria-label="Waits for your answer"
          title="Waits for your answer"
        >
          <CircleHelp size={15} aria-hidden="true" />
        </span>
      ) : (
        running && (
          <span className={styles.running} role="img" aria-label="Running" title="Running">
            <Spinner size={15} />
          </span>
        )
      )}
      <DropdownMenu.Root>
        <DropdownMenu.Trigger asChild>
          <IconButton label={`More for ${title}`}>
            <Ellipsis size={16} aria-hidden="true" />
          </IconButton>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className={styles.menu} align="end" sideOffset={4}>
            <DropdownMenu.Item className={styles.item} onSelect={onRename}>
              Rename
            </DropdownMenu.Item>
            <DropdownMenu.Item
              className={styles.item}
              onSelect={() => mark({ pinned: !conversation.pinned })}
            >
              {conversation.pinned ? 'Unpin' : 'Pin'}
            </DropdownMenu.Item>
            <DropdownMenu.Item
              className={styles.item}
              onSelect={() => mark({ archived: !conversation.archived })}
            >
              {conversation.archived ? 'Take out of the archive' : 'Archive'}
            </DropdownMenu.Item>
            <DropdownMenu.Item className={styles.item} onSelect={onMove}>
              Move to a folder…
            </DropdownMenu.Item>
            <DropdownMenu.Item className={styles.item} onSelect={() => exportAs('markdown')}>
              Export as Markdown…
            </DropdownMenu.Item>
            <DropdownMenu.Item className={styles.item} onSelect={() => exportAs('json')}>
              Export as JSON…
            </DropdownMenu.Item>
            <DropdownMenu.Item className={styles.item} onSelect={onSelect}>
              Select several
            </DropdownMenu.Item>
            <DropdownMenu.Item className={styles.item} onSelect={onDelete}>
              Delete…
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </div>
  );
}

function moveFocus(from: HTMLElement, step: 1 | -1): void {
  const item = from.closest('li');
  const next = step === 1 ? item?.nextElementSibling : item?.previousElementSibling;
  next?.querySelector('button')?.focus();
}
