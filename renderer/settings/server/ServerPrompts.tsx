import type { ServerView } from '../../../shared/servers.ts';
import { Callout } from '../../ui/Callout.tsx';
import { OfferRow } from './OfferRow.tsx';
import styles from './Offers.module.css';
import { PromptReader } from './PromptReader.tsx';
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
          <PromptReader server={server.name} prompt={prompt} completes={offers.canComplete} />
        </OfferRow>
      ))}
    </ul>
  );
}
