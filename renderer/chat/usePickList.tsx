import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { HiddenText } from '../asks/HiddenText.tsx';
import styles from './usePickList.module.css';

interface Options<T> {
  open: boolean;
  /** Of the list. */
  label: string;
  picks: readonly T[];
  /** A title, and in smaller letters whose it is; both may be a server's. */
  show(pick: T): { key: string; title: string; detail: string };
  /** Said below the list. */
  status: string;
  onTake(pick: T): void;
  onClose(): void;
}

/** A list that belongs to a field, which keeps the focus: arrows choose, Enter or Tab takes, Escape closes. */
export function usePickList<T>({ open, label, picks, show, status, onTake, onClose }: Options<T>) {
  const listId = useId();
  const [at, setAt] = useState(0);
  const active = Math.min(at, picks.length - 1);
  const shown = open && picks.length > 0;
  useEffect(() => {
    if (shown) document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [shown, active, listId]);
  const take = (pick: T) => {
    setAt(0);
    onTake(pick);
  };
  const list: ReactNode = open && (
    <div className={styles.menu}>
      {shown && (
        <div id={listId} role="listbox" aria-label={label} className={styles.list}>
          {picks.map((pick, index) => {
            const { key, title, detail } = show(pick);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
              <div
                key={key}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === active}
                className={styles.option}
                // Before the field loses the focus.
                onMouseDown={event => event.preventDefault()}
                onClick={() => take(pick)}
              >
                <HiddenText text={title} />
                <span className={styles.detail}>
                  <HiddenText text={detail} />
                </span>
              </div>
            );
          })}
        </div>
      )}
      <p className={styles.status} role="status">
        {status}
      </p>
    </div>
  );
  return {
    list,
    field: {
      'aria-controls': shown ? listId : undefined,
      'aria-activedescendant': shown ? `${listId}-${active}` : undefined,
    },
    /** Returns whether the key was for the list. */
    takesKey(event: KeyboardEvent): boolean {
      if (!open) return false;
      const step = steps[event.key];
      const chosen = picks[active];
      if (event.key === 'Escape') onClose();
      else if (step !== undefined && shown) setAt((active + step + picks.length) % picks.length);
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && chosen) take(chosen);
      else return false;
      return true;
    },
  };
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
