import { useState } from 'react';
import { revealHiddenText } from '../../shared/hiddenCharacters.ts';
import type { PromptInfo, PromptResult } from '../../shared/offers.ts';
import { ArgumentFields } from '../settings/server/ArgumentFields.tsx';
import { PromptMessages } from '../settings/server/PromptMessages.tsx';
import { useAction } from '../settings/useAction.ts';
import { request } from '../stores/host.ts';
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
      <ArgumentFields
        about={{ server, completes, of: { type: 'prompt', name } }}
        fields={prompt.arguments.map(one => ({
          name: one.name,
          label: one.title ?? one.name,
          hint: one.description,
          required: one.required,
        }))}
        action="Show messages"
        busy={busy}
        onSend={values =>
          void run(async () => setResult(await request('prompts.get', { server, name, values })))
        }
      />
      {error && <Callout error={error} />}
      {result && <PromptMessages result={result} />}
    </Dialog>
  );
}
