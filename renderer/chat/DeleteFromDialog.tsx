import { useState } from 'react';
import type { Message } from '../../shared/chat.ts';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { focusComposer } from '../stores/commands.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { Dialog } from '../ui/Dialog.tsx';

/** Asks once more before a message goes, with all that follows it. */
export function DeleteFromDialog({ message, onClose }: { message: Message; onClose(): void }) {
  const [error, setError] = useState<ErrorInfo>();
  const remove = async () => {
    try {
      const { conversationId, id: messageId } = message;
      await request('conversations.deleteFrom', { conversationId, messageId });
      onClose();
      focusComposer();
    } catch (reason) {
      setError(toErrorInfo(reason));
    }
  };
  return (
    <Dialog
      title="Delete from here?"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button variant="danger" onClick={() => void remove()}>
            Delete
          </Button>
        </>
      }
    >
      <p>
        This message and everything that follows it are deleted for good, with all versions of what follows.
        {message.versions && ' The other versions of this message stay.'}
      </p>
      {error && <Callout tone="danger" error={error} />}
    </Dialog>
  );
}
