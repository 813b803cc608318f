import { useState } from 'react';
import type { Conversation } from '../../shared/chat.ts';
import { useConversations } from '../stores/conversations.ts';
import styles from './ConversationList.module.css';
import { ConversationRow } from './ConversationRow.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { FolderDialog } from './FolderDialog.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { TitleInput } from './TitleInput.tsx';

/**
 * All conversations, pinned ones first and then the most recent; folders stand below, and archived ones are folded
 * away. Arrow keys move, F2 renames, Delete deletes after a question. Several can be selected and dealt with together.
 */
export function ConversationList() {
  const conversations = useConversations(state => state.conversations);
  const [renaming, setRenaming] = useState<string>();
  const [deleting, setDeleting] = useState<Conversation[]>();
  const [moving, setMoving] = useState<Conversation[]>();
  /** Undefined while none are being selected. */
  const [selection, setSelection] = useState<ReadonlySet<string>>();
  const selected = conversations.filter(({ id }) => selection?.has(id));
  const toggle = (id: string) => {
    const next = new Set(selection);
    if (!next.delete(id)) next.add(id);
    setSelection(next);
  };
  const listOf = (listed: Conversation[]) => (
    <ul className={styles.list}>
      {listed.map(conversation => (
        <li key={conversation.id}>
          {selection ? (
            <label className={styles.choice}>
              <input
                type="checkbox"
                checked={selection.has(conversation.id)}
                onChange={() => toggle(conversation.id)}
              />
              <span className={styles.chosen}>{conversation.title}</span>
            </label>
          ) : renaming === conversation.id ? (
            <TitleInput conversation={conversation} onDone={() => setRenaming(undefined)} />
          ) : (
            <ConversationRow
              conversation={conversation}
              onRename={() => setRenaming(conversation.id)}
              onDelete={() => setDeleting([conversation])}
              onMove={() => setMoving([conversation])}
              onSelect={() => toggle(conversation.id)}
            />
          )}
        </li>
      ))}
    </ul>
  );
  const archived = conversations.filter(one => one.archived);
  const current = conversations.filter(one => !one.archived);
  const loose = current.filter(one => one.folder === undefined || one.pinned);
  // What is pinned is listed above.
  const folders = foldersOf(current.filter(one => !one.pinned));
  return (
    <nav aria-label="Conversations">
      {selection && (
        <SelectionBar
          selected={selected}
          onAll={() => setSelection(new Set(conversations.map(({ id }) => id)))}
          onMove={() => setMoving(selected)}
          onDelete={() => setDeleting(selected)}
          onEnd={() => setSelection(undefined)}
        />
      )}
      {conversations.length === 0 && <p className={styles.empty}>Your conversations will be listed here.</p>}
      {listOf([...loose.filter(one => one.pinned), ...loose.filter(one => !one.pinned)])}
      {folders.map(folder => {
        const inside = current.filter(one => one.folder === folder && !one.pinned);
        return (
          <details key={folder} className={styles.archive} open>
            <summary>
              {folder} ({inside.length})
            </summary>
            {listOf(inside)}
          </details>
        );
      })}
      {archived.length > 0 && (
        <details className={styles.archive}>
          <summary>Archive ({archived.length})</summary>
          {listOf(archived)}
        </details>
      )}
      {deleting && (
        <DeleteDialog
          conversations={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => setSelection(undefined)}
        />
      )}
      {moving && (
        <FolderDialog
          conversations={moving}
          folders={foldersOf(conversations)}
          onClose={() => setMoving(undefined)}
          onMoved={() => setSelection(undefined)}
        />
      )}
    </nav>
  );
}

/** In the order of their names. */
function foldersOf(conversations: readonly Conversation[]): string[] {
  const names = conversations.flatMap(({ folder }) => (folder === undefined ? [] : [folder]));
  return [...new Set(names)].sort((a, b) => a.localeCompare(b));
}
