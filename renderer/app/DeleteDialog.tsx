import type { Conversation } from '../../shared/chat.ts';
import { act } from '../stores/app.ts';
import { focusComposer } from '../stores/commands.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './ConversationList.module.css';

interface Props {
  conversations: readonly Conversation[];
  onClose(): void;
  onDeleted(): void;
}

/** Asks before conversations are gone. */
export function DeleteDialog({ conversations, onClose, onDeleted }: Props) {
  const [first] = conversations;
  const isOne = conversations.length === 1;
  const remove = async () => {
    onClose();
    onDeleted();
    for (const { id } of conversations) await request('conversations.delete', { conversationId: id });
    focusComposer();
  };
  return (
    <Dialog
      title={isOne ? 'Delete this conversation?' : `Delete ${conversations.length} conversations?`}
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" onClick={() => act(remove())}>
            Delete
          </Button>
        </>
      }
    >
      <p className={styles.question}>
        {isOne ? `“${first?.title}” and everything in it` : 'They and everything in them'} will be gone. This
        cannot be undone.
      </p>
    </Dialog>
  );
}
