import { useMemo, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { useScrolls } from '../ui/useScrolls.ts';
import styles from './LongText.module.css';
import { linesIn, textPieces } from './textPieces.ts';

/** How much is shown at first, and how much each further step adds at most; in characters. */
const FIRST = 2000;
const STEP = 2_000_000;

/**
 * Plain text from a tool; a long one opens when it is wanted, always saying how much there is. It stands in pieces, of
 * which the browser lays out only those in view: laying out megabytes at once would freeze the window.
 */
export function LongText({ text }: { text: string }) {
  const [shown, setShown] = useState(FIRST);
  const { ref, scrolls } = useScrolls<HTMLPreElement>();
  const pieces = useMemo(() => textPieces(text.slice(0, shown)), [text, shown]);
  const rest = text.length - shown;
  return (
    <div className={styles.frame}>
      <pre ref={ref} className={styles.text} {...(scrolls ? { tabIndex: 0 } : {})}>
        {pieces.length === 1
          ? pieces[0]
          : pieces.map((piece, index) => (
              <span
                // A piece never changes its place.
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                key={index}
                className={styles.piece}
                style={{ containIntrinsicBlockSize: `auto ${linesIn(piece)}lh` }}
              >
                {piece}
              </span>
            ))}
      </pre>
      <div className={styles.bar}>
        {rest > 0 && (
          <Button size="small" onClick={() => setShown(shown + STEP)}>
            Show {rest > STEP ? `${STEP.toLocaleString('en')} more` : 'all'} ({rest.toLocaleString('en')}{' '}
            characters are hidden)
          </Button>
        )}
        <CopyButton text={text} label="Copy text" />
      </div>
    </div>
  );
}
