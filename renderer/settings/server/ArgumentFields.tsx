import { type FormEvent, useState } from 'react';
import { revealHiddenText } from '../../../shared/hiddenCharacters.ts';
import type { TextArguments } from '../../../shared/offers.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './ArgumentFields.module.css';
import { type Completed, CompletedField } from './CompletedField.tsx';

interface Props {
  about: Completed;
  fields: readonly { name: string; label: string; hint?: string | undefined; required: boolean }[];
  /** What the button does. */
  action: string;
  busy: boolean;
  onSend(values: TextArguments): void;
}

/** The arguments of a prompt or a template: all of them text, each with the server's suggestions. */
export function ArgumentFields({ about, fields, action, busy, onSend }: Props) {
  const [values, setValues] = useState<TextArguments>({});
  const [tried, setTried] = useState(false);
  const isMissing = (name: string) => (values[name] ?? '') === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!fields.some(({ name, required }) => required && isMissing(name))) onSend(values);
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {fields.map(({ name, label, hint, required }) => (
        <CompletedField
          key={name}
          about={about}
          name={name}
          label={revealHiddenText(label)}
          hint={hint && revealHiddenText(hint)}
          required={required}
          error={tried && required && isMissing(name) ? 'This is needed.' : undefined}
          values={values}
          onChange={value => setValues(before => ({ ...before, [name]: value }))}
        />
      ))}
      <div>
        <Button type="submit" variant="primary" size="small" disabled={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
