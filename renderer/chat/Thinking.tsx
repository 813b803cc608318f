import { ChevronRight } from 'lucide-react';
import styles from './Thinking.module.css';

/** A model's thinking, closed until somebody wants to read it. */
export function Thinking({ text, running }: { text: string; running: boolean }) {
  if (text.trim() === '') return null;
  return (
    <details className={styles.thinking}>
      <summary className={styles.summary}>
        <ChevronRight size={15} aria-hidden="true" className={styles.chevron} />
        {running ? 'Thinking…' : 'Thought about it'}
      </summary>
      <p className={styles.text}>{text}</p>
    </details>
  );
}
