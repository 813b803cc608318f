import { type KeyboardEvent, useId, useState } from 'react';
import { matchesQuery } from '../ui/matching.ts';
import { TextField } from '../ui/TextField.tsx';
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

/** More than these scroll, and can be searched. */
const MANY = 8;
/** Laying out more would take long, and nobody reads so far. */
const MOST = 100;

/** Some of a few answers, all in sight: radio buttons, or check boxes when several may be chosen. */
export function Choices({ label, hint, error, required, multiple, options, chosen, onChange }: Props) {
  const name = useId();
  const [query, setQuery] = useState('');
  const isLong = multiple && options.length > MANY;
  const found = isLong ? options.filter(({ title }) => matchesQuery(title, query)) : options;
  const shown = found.slice(0, MOST);
  const toggle = (key: string, on: boolean) => {
    if (!multiple) return onChange(on ? [key] : []);
    // In the order of the options, whatever the order of the clicks.
    onChange(options.map(one => one.key).filter(one => (one === key ? on : chosen.includes(one))));
  };
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return (
    <fieldset
      className={styles.choices}
      aria-describedby={described || undefined}
      {...(multiple
        ? {}
        : { role: 'radiogroup', 'aria-invalid': error !== undefined, 'aria-required': required })}
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
      {isLong && (
        <Search
          label={label}
          query={query}
          onChange={setQuery}
          status={`${chosen.length} of ${options.length} chosen${shown.length < options.length ? `, ${shown.length} shown` : ''}`}
        />
      )}
      <div className={isLong ? styles.scrolling : styles.options}>
        {shown.map(option => (
          <label key={option.key} className={styles.option}>
            <input
              type={multiple ? 'checkbox' : 'radio'}
              name={name}
              checked={chosen.includes(option.key)}
              aria-invalid={multiple && error !== undefined ? true : undefined}
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

function Search(props: { label: string; query: string; onChange(query: string): void; status: string }) {
  const { label, query, onChange, status } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter does not send the form from here, and Escape empties the search before it cancels.
    if (event.key === 'Enter') event.preventDefault();
    if (event.key !== 'Escape' || query === '') return;
    event.preventDefault();
    onChange('');
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are the field's
    <div className={styles.search} onKeyDown={onKeyDown}>
      <TextField
        label={`Search in ${label}`}
        hideLabel
        placeholder="Search…"
        value={query}
        onChange={onChange}
      />
      <p role="status" className={styles.hint}>
        {status}
      </p>
    </div>
  );
}
