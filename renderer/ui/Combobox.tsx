import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import styles from './Combobox.module.css';
import { Field, type FieldProps } from './Field.tsx';
import { belongsToInputMethod } from './inputMethod.ts';
import { matchesQuery } from './matching.ts';

interface Props extends FieldProps {
  /** Of the chosen option; empty for none. */
  value: string;
  options: readonly { value: string; label: string; description?: string }[];
  onChange(value: string): void;
}

/** Laying out more would take long, and nobody reads so far. */
const MOST = 100;

/**
 * One choice of many, found by typing (the editable combobox with a list of the ARIA patterns). Arrows open and move,
 * Enter takes, Escape closes; leaving with something else than an option in the field goes back to what was chosen.
 */
export function Combobox({ value, options, onChange, ...frame }: Props) {
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  /** What is typed; undefined while the field shows what is chosen. */
  const [query, setQuery] = useState<string>();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const chosen = options.find(option => option.value === value);
  const found = options.filter(({ label }) => matchesQuery(label, query ?? ''));
  const shown = found.slice(0, MOST);

  useLayoutEffect(() => {
    if (open) list.current?.showPopover();
    else list.current?.hidePopover();
  }, [open]);
  useEffect(() => {
    if (open && at >= 0) document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [open, at, listId]);

  const show = () => {
    setOpen(true);
    setAt(query === undefined ? options.findIndex(option => option.value === value) : -1);
  };
  const close = () => {
    setOpen(false);
    setAt(-1);
  };
  const take = (option: { value: string }) => {
    onChange(option.value);
    setQuery(undefined);
    close();
  };
  const leave = () => {
    const typed = query?.trim();
    const [only, ...others] = options.filter(({ label }) => label.toLowerCase() === typed?.toLowerCase());
    if (typed === '') onChange('');
    else if (only && others.length === 0) onChange(only.value);
    setQuery(undefined);
    close();
  };
  const move = (by: number) => {
    if (!open) return show();
    const last = shown.length - 1;
    setAt(before => (before < 0 ? (by > 0 ? 0 : last) : Math.min(Math.max(before + by, 0), last)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (belongsToInputMethod(event.nativeEvent)) return;
    const step = steps[event.key];
    const active = shown[at];
    if (event.altKey && event.key === 'ArrowUp') close();
    else if (step !== undefined) move(step);
    else if (event.key === 'Enter' && open && active) take(active);
    else if (event.key === 'Escape' && open) close();
    else return;
    event.preventDefault();
  };

  return (
    <Field {...frame}>
      {ids => (
        <div className={styles.frame}>
          <input
            {...ids}
            className={styles.input}
            role="combobox"
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-expanded={open}
            aria-controls={listId}
            aria-activedescendant={open && shown[at] ? `${listId}-${at}` : undefined}
            aria-required={frame.required}
            autoComplete="off"
            spellCheck={false}
            placeholder="Type to search…"
            value={query ?? chosen?.label ?? ''}
            onChange={event => {
              setQuery(event.target.value);
              setOpen(true);
              setAt(event.target.value === '' ? -1 : 0);
            }}
            onFocus={event => event.target.select()}
            onClick={() => !open && show()}
            onBlur={leave}
            onKeyDown={onKeyDown}
          />
          <div ref={list} popover="manual" className={styles.list}>
            <div id={listId} role="listbox" className={styles.options} aria-label={frame.label}>
              {shown.map((option, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
                <div
                  key={option.value}
                  id={`${listId}-${index}`}
                  role="option"
                  aria-selected={option.value === value}
                  data-active={index === at}
                  className={styles.option}
                  // Before the input loses the focus.
                  onMouseDown={event => event.preventDefault()}
                  onClick={() => take(option)}
                >
                  {option.label}
                  {option.description && <span className={styles.more}>{option.description}</span>}
                </div>
              ))}
            </div>
            <p role="status" className={styles.count}>
              {open && countOf(found.length, shown.length)}
            </p>
          </div>
        </div>
      )}
    </Field>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

function countOf(found: number, shown: number): string {
  if (found === 0) return 'Nothing fits what you typed.';
  const answers = `${found.toLocaleString('en')} ${found === 1 ? 'answer' : 'answers'}`;
  return found > shown ? `${answers}; the first ${shown} are shown. Keep typing.` : `${answers}.`;
}
