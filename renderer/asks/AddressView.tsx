import { type ReactNode, useId } from 'react';
import type { LinkReview } from '../../shared/linkReview.ts';
import { Callout } from '../ui/Callout.tsx';
import styles from './AddressView.module.css';

interface Props {
  lead: ReactNode;
  link: LinkReview;
  /** A button beside it. */
  action?: ReactNode;
}

/** All of an address that is to be opened, where it leads, and what is suspicious about it: text, never a link. */
export function AddressView({ lead, link, action }: Props) {
  const labelId = useId();
  return (
    <>
      <p className={styles.label} id={labelId}>
        {link.host ? (
          <>
            {lead} <strong>{link.host}</strong>
          </>
        ) : (
          'Address'
        )}
      </p>
      <div className={styles.row}>
        {/* A long one scrolls, and so must be reachable by the keyboard. */}
        <section
          className={styles.url}
          aria-labelledby={labelId}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
          tabIndex={0}
        >
          {link.before}
          <strong className={styles.host}>{link.host}</strong>
          {link.after}
        </section>
        {action}
      </div>
      {link.blocked && <Callout tone="danger">{link.blocked}</Callout>}
      {/* Together, so that none is out of sight. */}
      {link.warnings.length > 0 && (
        <Callout tone="warning">
          {link.warnings.map(warning => (
            <p key={warning}>{warning}</p>
          ))}
        </Callout>
      )}
    </>
  );
}
