import { type KeyboardEvent, useId, useState } from 'react';
import type { CompletionRef, TextArguments } from '../../../shared/offers.ts';
import { HiddenText } from '../../asks/HiddenText.tsx';
import { Field } from '../../ui/Field.tsx';
import { belongsToInputMethod } from '../../ui/inputMethod.ts';
import styles from './CompletedField.module.css';
import { useCompletion } from './useCompletion.ts';

/** Whose arguments are filled in. */
export interface Completed {
  server: string;
  completes: boolean;
  of: CompletionRef;
}

interface Props {
  about: Completed;
  name: string;
  label: string;
  hint?: string | undefined;
  required?: boolean;
  error?: string | undefined;
  /** All arguments as they are. */
  values: TextArguments;
  onChange(value: string): void;
}

/** A line of text with the server's suggestions below it: arrows choose, Enter takes, Escape closes. */
export function CompletedField({ about, name, label, hint, required, error, values, onChange }: Props) {
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const value = values[name] ?? '';
  const { values: found, total, hasMore } = useCompletion(about, name, values, open);
  const options = found.filter(option => option !== value);
  const shown = open && options.length > 0;
  const close = () => {
    setOpen(false);
    setAt(-1);
  };
  const take = (option: string) => {
    onChange(option);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (belongsToInputMethod(event)) return;
    const chosen = options[at];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (shown)
        setAt(before => (before + step + options.length + (before < 0 && step < 0 ? 1 : 0)) % options.length);
    } else if (event.key === 'Enter' && shown && chosen !== undefined) {
      event.preventDefault();
      take(chosen);
    } else if (event.key === 'Escape' && shown) {
      event.stopPropagation();
      close();
    }
  };
  return (
    <Field label={label} hint={hint} error={error} {...(required ? { required } : {})}>
      {ids => (
        <div className={styles.frame}>
          <input
            {...ids}
            className={styles.input}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={shown}
            aria-controls={listId}
            aria-activedescendant={shown && at >= 0 ? `${listId}-${at}` : undefined}
            aria-required={required}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={event => {
              onChange(event.target.value);
              setOpen(true);
              setAt(-1);
            }}
            onFocus={() => setOpen(true)}
            onBlur={close}
            onKeyDown={onKeyDown}
          />
          <div className={styles.list} hidden={!shown}>
            <div id={listId} role="listbox" aria-label={`Suggestions for ${label}`}>
              {options.map((option, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
                <div
                  key={option}
                  id={`${listId}-${index}`}
                  role="option"
                  aria-selected={index === at}
                  className={styles.option}
                  // Before the input loses the focus.
                  onMouseDown={event => event.preventDefault()}
                  onClick={() => take(option)}
                >
                  <HiddenText text={option} />
                </div>
              ))}
            </div>
            {hasMore && (
              <p className={styles.more}>
                {total === undefined ? 'There are more' : `${total.toLocaleString('en')} in all`}: keep
                typing.
              </p>
            )}
          </div>
        </div>
      )}
    </Field>
  );
}
