import { useState } from 'react';
import { revealHiddenText } from '../../shared/hiddenCharacters.ts';
import type { PromptInfo, PromptResult } from '../../shared/offers.ts';
import { PromptReader } from '../settings/server/PromptReader.tsx';
import { useAction } from '../settings/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { Dialog } from '../ui/Dialog.tsx';

interface Props {
  server: string;
  prompt: PromptInfo;
  completes: boolean;
  onClose(): void;
  onTake(messages: PromptResult['messages']): Promise<void>;
}

/** A prompt is filled in, its messages are looked at, and then put into the message: it is sent by the person alone. */
export function PromptDialog({ server, prompt, completes, onClose, onTake }: Props) {
  const { name, title } = prompt;
  const [result, setResult] = useState<PromptResult>();
  const { run, busy, error } = useAction();
  return (
    <Dialog
      wide
      title={revealHiddenText(`${title ?? name} of ${server}`)}
      onClose={onClose}
      footer={
        result && (
          <Button variant="primary" disabled={busy} onClick={() => void run(() => onTake(result.messages))}>
            Put into the message
          </Button>
        )
      }
    >
      <PromptReader server={server} prompt={prompt} completes={completes} onRead={setResult} />
      {error && <Callout error={error} />}
    </Dialog>
  );
}
