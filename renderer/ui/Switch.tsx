import { Switch as Headless } from 'radix-ui';
import { useId } from 'react';
import styles from './Switch.module.css';

interface Props {
  label: string;
  hideLabel?: boolean;
  /** The id of what is said about it. */
  describedBy?: string | undefined;
  checked: boolean;
  onChange(checked: boolean): void;
  disabled?: boolean;
}

/** On or off, at once. */
export function Switch({ label, hideLabel, describedBy, checked, onChange, disabled }: Props) {
  const id = useId();
  return (
    <span className={styles.field}>
      <Headless.Root
        id={id}
        className={styles.track}
        aria-label={label}
        title={hideLabel ? label : undefined}
        aria-describedby={describedBy}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled ?? false}
      >
        <Headless.Thumb className={styles.thumb} />
      </Headless.Root>
      {!hideLabel && <label htmlFor={id}>{label}</label>}
    </span>
  );
}
