import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ErrorInfo } from '../../shared/errors.ts';
import styles from './Callout.module.css';

interface Props {
  tone?: 'info' | 'warning' | 'danger';
  title?: string;
  icon?: ReactNode;
  /** Shown as its message and hint. */
  error?: ErrorInfo | undefined;
  /** More text, or the buttons that mend it. */
  children?: ReactNode;
}

const icons = { info: Info, warning: TriangleAlert, danger: CircleAlert };

/** Something to know or to mend, where it belongs. */
export function Callout({ tone, title, icon, error, children }: Props) {
  const kind = tone ?? (error ? 'danger' : 'info');
  const Icon = icons[kind];
  return (
    <div className={styles.callout} data-tone={kind} role={kind === 'danger' ? 'alert' : 'note'}>
      <span className={styles.icon} aria-hidden="true">
        {icon ?? <Icon size={18} />}
      </span>
      <div className={styles.body}>
        {title && <p className={styles.title}>{title}</p>}
        {error && <p className={styles.message}>{error.message}</p>}
        {error?.hint && <p className={styles.hint}>{error.hint}</p>}
        {children}
      </div>
    </div>
  );
}
