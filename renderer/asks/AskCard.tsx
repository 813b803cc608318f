import type { KeyboardEvent, ReactNode } from 'react';
import { useId } from 'react';
import type { ErrorInfo } from '../../shared/errors.ts';
import { Callout } from '../ui/Callout.tsx';
import { belongsToInputMethod } from '../ui/inputMethod.ts';
import { useScrolls } from '../ui/useScrolls.ts';
import styles from './AskCard.module.css';
import { HiddenText } from './HiddenText.tsx';
import { useFocusOnArrival } from './useFocusOnArrival.ts';

interface Props {
  icon: ReactNode;
  /** The configured name of the server, and what it has to do with the question: `asked by the server`. */
  server: string;
  lead: ReactNode;
  /** What stands behind the name, where that matters. */
  behind?: ReactNode;
  title: ReactNode;
  children: ReactNode;
  /** The answers. */
  actions: ReactNode;
  error: ErrorInfo | undefined;
  /** What Esc means, if anything. */
  onEscape?: () => void;
}

/** The frame of every question: whose it is, what it is about, the answers. It is part of the page, not a dialog. */
export function AskCard({ icon, server, lead, behind, title, children, actions, error, onEscape }: Props) {
  const titleId = useId();
  const body = useScrolls<HTMLDivElement>();
  const ref = useFocusOnArrival<HTMLElement>();
  const onKeyDown = (event: KeyboardEvent) => {
    // A list that is open in the card, or the input method, has used this Esc already.
    const used = event.defaultPrevented || belongsToInputMethod(event);
    if (event.key !== 'Escape' || used || !onEscape) return;
    event.preventDefault();
    onEscape();
  };
  return (
    <section ref={ref} className={styles.card} aria-labelledby={titleId} tabIndex={-1} onKeyDown={onKeyDown}>
      <header className={styles.header}>
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
        <div>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          <p className={styles.server}>
            {lead}{' '}
            <strong>
              <HiddenText text={server} />
            </strong>
            {behind}
          </p>
        </div>
      </header>
      {/* A region that scrolls must be reachable by keyboard. */}
      <div ref={body.ref} className={styles.body} tabIndex={body.scrolls ? 0 : undefined}>
        {children}
      </div>
      {error && <Callout error={error} />}
      <footer className={styles.actions}>{actions}</footer>
    </section>
  );
}
