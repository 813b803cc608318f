import { Eye, EyeOff, Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import styles from './Rows.module.css';
import { SecretInput } from './SecretInput.tsx';
import { isKept, type Row } from './serverDraft.ts';

interface Props {
  legend: string;
  hint: string;
  /** What one row is: `variable`, `header`. */
  noun: string;
  rows: readonly Row[];
  error: string | undefined;
  onChange(rows: Row[]): void;
}

/**
 * Names with values that may be secrets. A value that is in the file already never comes here: it is kept as it is
 * until a new one is written over it.
 */
export function Rows({ legend, hint, noun, rows, error, onChange }: Props) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const change = (row: Row, part: Partial<Row>) =>
    onChange(rows.map(one => (one.id === row.id ? { ...one, ...part } : one)));
  const add = () =>
    onChange([...rows, { id: 1 + Math.max(-1, ...rows.map(row => row.id)), key: '', value: '' }]);
  return (
    <fieldset className={styles.rows} aria-describedby={`${id}-hint`}>
      <legend className={styles.legend}>{legend}</legend>
      <p id={`${id}-hint`} className={styles.hint}>
        {hint}
      </p>
      {rows.map((row, index) => (
        <div key={row.id} className={styles.row}>
          <input
            className={styles.input}
            aria-label={`Name of ${noun} ${index + 1}`}
            aria-invalid={error !== undefined}
            placeholder="Name"
            spellCheck={false}
            value={row.key}
            readOnly={isKept(row)}
            onChange={event => change(row, { key: event.target.value })}
          />
          <SecretInput
            of={row.key}
            label={`Value of ${row.key || `${noun} ${index + 1}`}`}
            value={row.value}
            shown={shown}
            onChange={value => change(row, { value })}
          />
          <Button
            variant="ghost"
            size="small"
            aria-label={`Remove ${row.key || `${noun} ${index + 1}`}`}
            onClick={() => onChange(rows.filter(one => one.id !== row.id))}
          >
            <X size={16} aria-hidden="true" />
          </Button>
        </div>
      ))}
      <div className={styles.tools}>
        <Button size="small" onClick={add}>
          <Plus size={14} aria-hidden="true" /> Add {noun}
        </Button>
        {rows.some(row => !isKept(row)) && (
          <Button variant="ghost" size="small" aria-pressed={shown} onClick={() => setShown(!shown)}>
            {shown ? <EyeOff size={14} aria-hidden="true" /> : <Eye size={14} aria-hidden="true" />} Show
            values
          </Button>
        )}
      </div>
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
