import { type ReactNode, useId } from 'react';
import styles from './KeepPlain.module.css';

interface Props {
  checked: boolean;
  onChange(checked: boolean): void;
  children: ReactNode;
}

/** Where nothing encrypts: whether a secret is kept all the same. */
export function KeepPlain({ checked, onChange, children }: Props) {
  const id = useId();
  return (
    <label className={styles.keep}>
      <input
        type="checkbox"
        checked={checked}
        aria-describedby={id}
        onChange={event => onChange(event.target.checked)}
      />
      <span>
        {children}
        <span id={id} className={styles.hint}>
          This computer has no keyring, so it would be stored unencrypted: any program that runs as you could
          read it.
        </span>
      </span>
    </label>
  );
}
