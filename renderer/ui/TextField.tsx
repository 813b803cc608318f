import type { HTMLInputAutoCompleteAttribute, HTMLInputTypeAttribute } from 'react';
import { Field, type FieldProps } from './Field.tsx';
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
  /** Monospaced, without spell checking. */
  code?: boolean;
  step?: string;
  min?: string;
  max?: string;
}

/** One line of text, or several, with its label, hint and error. */
export function TextField({ label, hideLabel, hint, error, required, ...control }: Props) {
  const {
    value,
    onChange,
    multiline,
    rows = 4,
    code,
    type = 'text',
    autoComplete = 'off',
    ...rest
  } = control;
  const frame = {
    label,
    hint,
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
        return multiline ? (
          <textarea {...common} rows={rows} onChange={event => onChange(event.target.value)} />
        ) : (
          <input {...common} type={type} onChange={event => onChange(event.target.value)} />
        );
      }}
    </Field>
  );
}
