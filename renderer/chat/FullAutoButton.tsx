import { ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { act } from '../stores/app.ts';
import { ensureConversation, useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';
import { useRules } from '../stores/rules.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { IconButton } from '../ui/IconButton.tsx';

/** Leads to running everything without a question in this conversation; not there while that is on. */
export function FullAutoButton() {
  const openId = useConversations(state => state.openId);
  const on = useRules(({ conversations }) => openId !== undefined && conversations[openId]?.fullAuto);
  const [asking, setAsking] = useState(false);
  if (on) return null;
  const begin = async () => {
    setAsking(false);
    await request('chat.setFullAuto', { conversationId: await ensureConversation(), on: true });
  };
  return (
    <>
      <IconButton label="Run without asking…" onClick={() => setAsking(true)}>
        <ShieldOff size={17} aria-hidden="true" />
      </IconButton>
      {asking && (
        <Dialog
          title="Run every tool without asking?"
          onClose={() => setAsking(false)}
          footer={
            <>
              <Button onClick={() => setAsking(false)}>Keep asking me</Button>
              <Button variant="danger" onClick={() => act(begin())}>
                Run without asking
              </Button>
            </>
          }
        >
          <p>
            In this conversation the model will run any tool of any server at once, with whatever arguments it
            makes up. What a web page or a file says may lead it. You will see what it did, not what it is
            about to do.
          </p>
          <p>
            Tools that a rule denies stay denied. It ends when you say so, when the conversation is deleted,
            and when Parley is closed.
          </p>
        </Dialog>
      )}
    </>
  );
}
