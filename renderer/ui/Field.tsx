import type { ReactNode } from 'react';
import { useId } from 'react';
import styles from './Field.module.css';

export interface FieldProps {
  label: string;
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean;
  hint?: string | undefined;
  /** What to beware of, whatever is entered. */
  warning?: string | undefined;
  error?: string | undefined;
  required?: boolean;
}

/** What a control needs to belong to its label, hint and error. */
export interface ControlIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

/** Label above, control, then hint and error: the frame of every field. */
export function Field({
  label,
  hideLabel,
  hint,
  warning,
  error,
  required,
  children,
}: FieldProps & { children(ids: ControlIds): ReactNode }) {
  const id = useId();
  const described = [hint && `${id}-hint`, warning && `${id}-warning`, error && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={hideLabel ? styles.hidden : styles.label}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {warning && (
        <p id={`${id}-warning`} className={styles.warning} role="note">
          {warning}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
