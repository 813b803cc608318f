import type { ReactNode } from 'react';
import { isOnlyReference } from '../../shared/references.ts';
import { KEPT_VALUE } from '../../shared/servers.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import styles from './Details.module.css';

/** What is there to be checked, as a list of what it is and its value. */
export function Details({ children }: { children: ReactNode }) {
  return <dl className={styles.details}>{children}</dl>;
}

export function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** All of a text from elsewhere. */
export function Exactly({ text }: { text: string }) {
  return (
    <code>
      <HiddenText text={text} />
    </code>
  );
}

/** A value that must not be spelled out; a mere reference is none. */
export function SecretValue({ value }: { value: string }) {
  if (value === KEPT_VALUE) return <em>as it is in the file</em>;
  if (isOnlyReference(value)) return <Exactly text={value} />;
  return <em>{value.length} characters, not shown</em>;
}
