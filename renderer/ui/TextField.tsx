import type { HTMLInputAutoCompleteAttribute, HTMLInputTypeAttribute, KeyboardEvent, ReactNode } from 'react';
import { Field, type FieldProps } from './Field.tsx';
import { belongsToInputMethod } from './inputMethod.ts';
import styles from './TextField.module.css';

interface Props extends FieldProps {
  value: string;
  onChange(value: string): void;
  type?: HTMLInputTypeAttribute;
  inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'url';
  autoComplete?: HTMLInputAutoCompleteAttribute;
  placeholder?: string;
  disabled?: boolean;
  /** Several lines. */
  multiline?: boolean;
  rows?: number;
  /** Several lines if need be: it begins with one and grows. Enter sends the form, Shift+Enter begins a new line. */
  grows?: boolean;
  /** A button at its end. */
  action?: ReactNode;
  /** Monospaced, without spell checking. */
  code?: boolean;
  step?: string;
  min?: string;
  max?: string;
}

/** One line of text, or several, with its label, hint and error. */
export function TextField({ label, hideLabel, hint, warning, error, required, ...control }: Props) {
  const {
    value,
    onChange,
    multiline,
    rows = 4,
    grows,
    action,
    code,
    type = 'text',
    autoComplete = 'off',
    ...rest
  } = control;
  const frame = {
    label,
    hint,
    warning,
    error,
    ...(hideLabel ? { hideLabel } : {}),
    ...(required ? { required } : {}),
  };
  return (
    <Field {...frame}>
      {ids => {
        const common = {
          ...ids,
          ...rest,
          value,
          autoComplete,
          'aria-required': required,
          className: styles.input,
          'data-code': code,
          spellCheck: code ? false : undefined,
        };
        if (grows)
          return (
            <textarea
              {...common}
              rows={1}
              data-grows
              onChange={event => onChange(event.target.value)}
              onKeyDown={sendOnEnter}
            />
          );
        if (multiline)
          return <textarea {...common} rows={rows} onChange={event => onChange(event.target.value)} />;
        const input = <input {...common} type={type} onChange={event => onChange(event.target.value)} />;
        if (!action) return input;
        return (
          <div className={styles.row}>
            {input}
            {action}
          </div>
        );
      }}
    </Field>
  );
}

function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || belongsToInputMethod(event)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
