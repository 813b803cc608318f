import { type ReactNode, useId } from 'react';
import type { LinkReview } from '../../shared/linkReview.ts';
import { Callout } from '../ui/Callout.tsx';
import styles from './AddressView.module.css';

/** All of an address that is to be opened, where it leads, and what is suspicious about it: text, never a link. */
export function AddressView({ lead, link }: { lead: ReactNode; link: LinkReview }) {
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
      <section className={styles.url} aria-labelledby={labelId}>
        {link.before}
        <strong className={styles.host}>{link.host}</strong>
        {link.after}
      </section>
      {link.blocked && <Callout tone="danger">{link.blocked}</Callout>}
      {link.warnings.map(warning => (
        <Callout key={warning} tone="warning">
          {warning}
        </Callout>
      ))}
    </>
  );
}
