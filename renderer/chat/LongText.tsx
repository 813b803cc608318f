import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { useScrolls } from '../ui/useScrolls.ts';
import styles from './LongText.module.css';

/** How much is shown at first, and how much each further step adds: laying out megabytes at once would freeze. */
const FIRST = 2000;
const STEP = 50_000;

/** Plain text from a tool; a long one in steps, always saying how much there is. */
export function LongText({ text }: { text: string }) {
  const [shown, setShown] = useState(FIRST);
  const { ref, scrolls } = useScrolls<HTMLPreElement>();
  const rest = text.length - shown;
  return (
    <div className={styles.frame}>
      <pre ref={ref} className={styles.text} {...(scrolls ? { tabIndex: 0 } : {})}>
        {text.slice(0, shown)}
      </pre>
      <div className={styles.bar}>
        {rest > 0 && (
          <Button size="small" onClick={() => setShown(shown + STEP)}>
            Show {rest > STEP ? `${STEP.toLocaleString()} more` : 'all'} ({rest.toLocaleString()} characters
            are hidden)
          </Button>
        )}
        <CopyButton text={text} label="Copy text" />
      </div>
    </div>
  );
}
