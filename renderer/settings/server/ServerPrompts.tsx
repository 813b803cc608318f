import { useState } from 'react';
import type { PromptInfo, PromptResult } from '../../../shared/offers.ts';
import type { ServerView } from '../../../shared/servers.ts';
import { request } from '../../stores/host.ts';
import { Callout } from '../../ui/Callout.tsx';
import { useAction } from '../useAction.ts';
import { ArgumentFields } from './ArgumentFields.tsx';
import { OfferRow } from './OfferRow.tsx';
import styles from './Offers.module.css';
import { PromptMessages } from './PromptMessages.tsx';
import { useOffers } from './useOffers.ts';

/** The prompts of one server. They are only shown: nothing here goes to a model. */
export function ServerPrompts({ server }: { server: ServerView }) {
  const { offers, error } = useOffers(server);
  if (error) return <Callout error={error} />;
  if (!offers) return <p className={styles.empty}>Asking the server…</p>;
  if (offers.prompts.length === 0)
    return <p className={styles.empty}>No prompts are known of this server.</p>;
  return (
    <ul className={styles.list} aria-label="Prompts">
      {offers.prompts.map(prompt => (
        <OfferRow
          key={prompt.name}
          title={prompt.title ?? prompt.name}
          name={prompt.name}
          description={prompt.description}
          icons={prompt.icons}
        >
          <Prompt server={server.name} prompt={prompt} completes={offers.canComplete} />
        </OfferRow>
      ))}
    </ul>
  );
}

function Prompt({ server, prompt, completes }: { server: string; prompt: PromptInfo; completes: boolean }) {
  const { name } = prompt;
  const [result, setResult] = useState<PromptResult>();
  const { run, busy, error } = useAction();
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
        onSend={values =>
          void run(async () => setResult(await request('prompts.get', { server, name, values })))
        }
      />
      {error && <Callout error={error} />}
      {result && <PromptMessages result={result} />}
    </>
  );
}
