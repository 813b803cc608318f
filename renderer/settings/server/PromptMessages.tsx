import type { PromptResult } from '../../../shared/offers.ts';
import { HiddenText } from '../../asks/HiddenText.tsx';
import { ToolResultView } from '../../chat/ToolResultView.tsx';
import styles from './Offers.module.css';

/** What a prompt turned into, message by message. */
export function PromptMessages({ result: { description, messages } }: { result: PromptResult }) {
  return (
    <section className={styles.offers} aria-label="Messages of the prompt">
      {description && (
        <p className={styles.empty}>
          <HiddenText text={description} />
        </p>
      )}
      {messages.length === 0 && <p className={styles.empty}>The prompt has no messages.</p>}
      {messages.map(({ role, content }, index) => (
        // A message is its place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={index}>
          <h3 className={styles.role}>{role === 'user' ? 'As you' : 'As the model'}</h3>
          <ToolResultView result={{ content: [content] }} />
        </div>
      ))}
    </section>
  );
}
