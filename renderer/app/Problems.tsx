import { X } from 'lucide-react';
import { dismissProblem, useApp } from '../stores/app.ts';
import { Callout } from '../ui/Callout.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import styles from './Problems.module.css';

/** What went wrong without belonging to anything on the screen; it stays until it is put away. */
export function Problems() {
  const problems = useApp(state => state.problems);
  if (problems.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Problems">
      {problems.map(problem => (
        <li key={problem.message} className={styles.item}>
          <Callout error={problem} />
          <IconButton label="Put away" onClick={() => dismissProblem(problem)}>
            <X size={16} aria-hidden="true" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
