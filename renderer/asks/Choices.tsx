import { useId } from 'react';
import styles from './Choices.module.css';
import { HiddenText } from './HiddenText.tsx';

interface Props {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  required: boolean;
  multiple: boolean;
  options: readonly { key: string; title: string; description?: string }[];
  chosen: readonly string[];
  onChange(keys: string[]): void;
}

/** Some of a few answers, all in sight: radio buttons, or check boxes when several may be chosen. */
export function Choices({ label, hint, error, required, multiple, options, chosen, onChange }: Props) {
  const name = useId();
  const toggle = (key: string, on: boolean) => {
    if (!multiple) return onChange(on ? [key] : []);
    // In the order of the options, whatever the order of the clicks.
    onChange(options.map(one => one.key).filter(one => (one === key ? on : chosen.includes(one))));
  };
  return (
    <fieldset
      className={styles.choices}
      aria-describedby={`${name}-hint ${name}-error`}
      aria-invalid={error !== undefined}
    >
      <legend className={styles.label}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </legend>
      {hint && (
        <p id={`${name}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      <div className={styles.options}>
        {options.map(option => (
          <label key={option.key} className={styles.option}>
            <input
              type={multiple ? 'checkbox' : 'radio'}
              name={name}
              checked={chosen.includes(option.key)}
              onChange={event => toggle(option.key, event.target.checked)}
            />
            <span>
              <HiddenText text={option.title} />
              {option.description && (
                <span className={styles.hint}>
                  <HiddenText text={option.description} />
                </span>
              )}
            </span>
          </label>
        ))}
        {!multiple && !required && chosen.length > 0 && (
          <button type="button" className={styles.clear} onClick={() => onChange([])}>
            No answer
          </button>
        )}
      </div>
      {error && (
        <p id={`${name}-error`} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
