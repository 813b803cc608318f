import { useState } from 'react';
import type { PromptInfo, PromptResult } from '../../../shared/offers.ts';
import { request } from '../../stores/host.ts';
import { Callout } from '../../ui/Callout.tsx';
import { useAction } from '../useAction.ts';
import { ArgumentFields } from './ArgumentFields.tsx';
import { PromptMessages } from './PromptMessages.tsx';

interface Props {
  server: string;
  prompt: PromptInfo;
  /** The server suggests values. */
  completes: boolean;
  onRead?(result: PromptResult): void;
}

/** A prompt is filled in, and its messages are shown. */
export function PromptReader({ server, prompt, completes, onRead }: Props) {
  const { name } = prompt;
  const [result, setResult] = useState<PromptResult>();
  const { run, busy, error } = useAction();
  const read = async (values: Record<string, string>) => {
    const read = await request('prompts.get', { server, name, values });
    setResult(read);
    onRead?.(read);
  };
  return (
    <>
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
        onSend={values => void run(() => read(values))}
      />
      {error && <Callout error={error} />}
      {result && <PromptMessages result={result} />}
    </>
  );
}
