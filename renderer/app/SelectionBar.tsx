import { Archive, Download, FolderInput, Trash2, X } from 'lucide-react';
import type { Conversation } from '../../shared/chat.ts';
import { act } from '../stores/app.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import styles from './SelectionBar.module.css';

interface Props {
  selected: readonly Conversation[];
  onAll(): void;
  onMove(): void;
  onDelete(): void;
  onEnd(): void;
}

/** What can be done with the selected conversations together. */
export function SelectionBar({ selected, onAll, onMove, onDelete, onEnd }: Props) {
  const none = selected.length === 0;
  const archive = async () => {
    onEnd();
    for (const { id } of selected)
      await request('conversations.mark', { conversationId: id, archived: true });
  };
  const save = async () => {
    const { saved } = await request('app.exportConversations', {
      ids: selected.map(({ id }) => id),
      format: 'json',
    });
    if (saved) onEnd();
  };
  return (
    <fieldset className={styles.bar}>
      <legend className={styles.legend}>Selected conversations</legend>
      <div className={styles.line}>
        <span role="status">{selected.length} selected</span>
        <Button size="small" variant="ghost" onClick={onAll}>
          All
        </Button>
        <IconButton label="End selecting" onClick={onEnd}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      </div>
      <div className={styles.line}>
        <IconButton label="Move to a folder…" disabled={none} onClick={onMove}>
          <FolderInput size={16} aria-hidden="true" />
        </IconButton>
        <IconButton label="Archive" disabled={none} onClick={() => act(archive())}>
          <Archive size={16} aria-hidden="true" />
        </IconButton>
        <IconButton label="Export as JSON…" disabled={none} onClick={() => act(save())}>
          <Download size={16} aria-hidden="true" />
        </IconButton>
        <IconButton label="Delete…" disabled={none} onClick={onDelete}>
          <Trash2 size={16} aria-hidden="true" />
        </IconButton>
      </div>
    </fieldset>
  );
}
