import { useState } from 'react';
import { useAction } from '../settings/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { useScrolls } from '../ui/useScrolls.ts';
import styles from './LongText.module.css';

/** In characters. */
const STEP = 50_000;

interface Props {
  /** Its first characters. */
  head: string;
  read(from: number, length: number): Promise<{ text: string; total: number }>;
  /** Into a file that the person chooses. */
  save(): Promise<unknown>;
}

/** Text of which only the beginning is here: it is fetched as one reads on. */
export function FetchedText({ head, read, save }: Props) {
  const [text, setText] = useState(head);
  const [total, setTotal] = useState<number>();
  const { ref, scrolls } = useScrolls<HTMLPreElement>();
  const reading = useAction();
  const readOn = async () => {
    const more = await read(text.length, STEP);
    setText(text + more.text);
    setTotal(more.total);
  };
  const isWhole = total !== undefined && text.length >= total;
  const rest =
    total === undefined ? '' : ` (${(total - text.length).toLocaleString('en')} characters are left)`;
  return (
    <div className={styles.frame}>
      <pre ref={ref} className={styles.text} {...(scrolls ? { tabIndex: 0 } : {})}>
        {text}
      </pre>
      <div className={styles.fetched}>
        {!isWhole && (
          <Button size="small" disabled={reading.busy} onClick={() => void reading.run(readOn)}>
            {`Show ${STEP.toLocaleString('en')} more${rest}`}
          </Button>
        )}
        <Button size="small" disabled={reading.busy} onClick={() => void reading.run(save)}>
          Save…
        </Button>
      </div>
      {reading.error && <Callout tone="danger" error={reading.error} />}
    </div>
  );
}
