import { ChevronRight } from 'lucide-react';
import { useKept } from '../stores/kept.ts';
import styles from './Thinking.module.css';

interface Props {
  text: string;
  running: boolean;
  /** Whether it is open is kept by this. */
  place: string;
}

/** A model's thinking, closed until somebody wants to read it. */
export function Thinking({ text, running, place }: Props) {
  const [open, setOpen] = useKept(`thinking ${place}`, false);
  if (text.trim() === '') return null;
  return (
    <details className={styles.thinking} open={open} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>
        <ChevronRight size={15} aria-hidden="true" className={styles.chevron} />
        {running ? 'Thinking…' : 'Thought about it'}
      </summary>
      <p className={styles.text}>{text}</p>
    </details>
  );
}
