import { CalendarDays } from 'lucide-react';
import { useRef } from 'react';
import { localDateTime } from '../../shared/dateTime.ts';
import type { FieldProps } from '../ui/Field.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { TextField } from '../ui/TextField.tsx';
import styles from './DateInput.module.css';

interface Props {
  frame: FieldProps;
  text: string;
  withTime: boolean;
  onChange(text: string): void;
}

/**
 * A date, or a date with a time, that is typed; the system's calendar helps. A date input of its own would lose what is
 * half entered without a word, and could hold no zone.
 */
export function DateInput({ frame, text, withTime, onChange }: Props) {
  const picker = useRef<HTMLInputElement>(null);
  const pick = (picked: string) => {
    onChange(picked.replace('T', ' '));
    picker.current?.parentElement?.querySelector<HTMLElement>('input')?.focus();
  };
  return (
    <div className={styles.frame}>
      <TextField
        {...frame}
        value={text}
        onChange={onChange}
        action={
          <IconButton
            label={`Choose ${frame.label} in a calendar`}
            onClick={() => picker.current?.showPicker()}
          >
            <CalendarDays size={16} aria-hidden="true" />
          </IconButton>
        }
      />
      <input
        ref={picker}
        className={styles.picker}
        type={withTime ? 'datetime-local' : 'date'}
        tabIndex={-1}
        aria-hidden="true"
        value={(withTime ? localDateTime(text)?.slice(0, 16) : text) ?? ''}
        onChange={event => pick(event.target.value)}
      />
    </div>
  );
}
