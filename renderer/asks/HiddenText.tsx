import { revealHidden } from '../../shared/hiddenCharacters.ts';
import styles from './HiddenText.module.css';

/** Text from outside with its hidden characters made visible, kept from reordering what stands beside it. */
export function HiddenText({ text }: { text: string }) {
  const parts = revealHidden(text);
  return (
    <bdi>
      {parts.map((part, index) =>
        'text' in part ? (
          part.text
        ) : (
          // The parts of a text never change places.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <span key={index} className={styles.hidden} title="A character that cannot be seen">
            {part.hidden}
          </span>
        ),
      )}
    </bdi>
  );
}
