import { useState } from 'react';
import type { Conversation } from '../../shared/chat.ts';
import { act } from '../stores/app.ts';
import { request } from '../stores/host.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import styles from './ConversationList.module.css';

interface Props {
  conversations: readonly Conversation[];
  /** Those that there are. */
  folders: readonly string[];
  onClose(): void;
  onMoved(): void;
}

/** Choices that are no folder: none has a line end in its name. */
const NONE = '\nnone';
const NEW = '\nnew';

/** Moves conversations into a folder, a new one, or out of theirs. */
export function FolderDialog({ conversations, folders, onClose, onMoved }: Props) {
  const [choice, setChoice] = useState(conversations[0]?.folder ?? folders[0] ?? NEW);
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const move = async () => {
    const folder = choice === NONE ? null : choice === NEW ? name.trim() : choice;
    if (folder === '') return setError('Give the folder a name.');
    onClose();
    onMoved();
    for (const { id } of conversations) await request('conversations.mark', { conversationId: id, folder });
  };
  return (
    <FormDialog
      title="Move to a folder"
      action="Move"
      className={styles.form}
      onClose={onClose}
      onSubmit={() => act(move())}
    >
      <Select
        label="Folder"
        value={choice}
        options={[
          { value: NONE, label: 'No folder' },
          ...folders.map(folder => ({ value: folder, label: folder })),
          { value: NEW, label: 'A new folder' },
        ]}
        onChange={setChoice}
      />
      {choice === NEW && (
        <TextField
          label="Name"
          required
          value={name}
          onChange={text => setName(text.slice(0, 100))}
          error={error}
        />
      )}
    </FormDialog>
  );
}
