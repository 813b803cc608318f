import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './IconButton.module.css';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'aria-label' | 'title'> {
  /** Its name, also shown as a tooltip. */
  label: string;
  children: ReactNode;
}

/** A button that shows only an icon. */
export function IconButton({ label, type = 'button', children, ...rest }: Props) {
  return (
    <button type={type} className={styles.button} aria-label={label} title={label} {...rest}>
      {children}
    </button>
  );
}
