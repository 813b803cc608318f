import { useState } from 'react';
import { isOnlyReference } from '../../shared/references.ts';
import { KEPT_VALUE } from '../../shared/servers.ts';
import { Button } from '../ui/Button.tsx';
import type { ControlIds } from '../ui/Field.tsx';
import styles from './SecretInput.module.css';

interface Props extends Partial<ControlIds> {
  /** What it is the value of. */
  of: string;
  label: string;
  value: string;
  /** Not hidden while it is typed. */
  shown?: boolean;
  onChange(value: string): void;
}

/**
 * A value that may be a secret. One that is in the file never comes here: it is kept until a new one is written over
 * it. A mere reference, such as `${secret:NAME}`, is no secret and can be read.
 */
export function SecretInput({ of, label, value, shown = false, onChange, ...ids }: Props) {
  const [isReplacing, setReplacing] = useState(false);
  if (value === KEPT_VALUE)
    return (
      <div className={styles.kept}>
        <span>kept</span>
        <Button
          size="small"
          aria-label={`Replace the value of ${of}`}
          onClick={() => {
            setReplacing(true);
            onChange('');
          }}
        >
          Replace
        </Button>
      </div>
    );
  return (
    <input
      {...ids}
      className={styles.input}
      aria-label={label}
      placeholder="Value"
      type={shown || isOnlyReference(value) ? 'text' : 'password'}
      autoComplete="off"
      spellCheck={false}
      // The button that was pressed is gone.
      // biome-ignore lint/a11y/noAutofocus: see above
      autoFocus={isReplacing}
      value={value}
      onChange={event => onChange(event.target.value)}
    />
  );
}
