import type { ButtonHTMLAttributes } from 'react';
import styles from './Button.module.css';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  variant?: 'primary' | 'secondary' | 'danger' | 'ghost';
  size?: 'normal' | 'small';
}

/** A button that never submits a form by accident. */
export function Button({ variant = 'secondary', size = 'normal', type = 'button', ...rest }: Props) {
  return <button type={type} className={styles.button} data-variant={variant} data-size={size} {...rest} />;
}
