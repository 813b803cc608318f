import { Tabs as Headless } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './Tabs.module.css';

interface Props {
  label: string;
  value: string;
  onChange(value: string): void;
  /** Within a card. */
  small?: boolean;
  tabs: readonly { value: string; label: string; content: ReactNode }[];
}

/** One of several panels. */
export function Tabs({ label, value, onChange, small, tabs }: Props) {
  return (
    <Headless.Root value={value} onValueChange={onChange} className={small ? styles.small : undefined}>
      <Headless.List className={styles.list} aria-label={label}>
        {tabs.map(tab => (
          <Headless.Trigger key={tab.value} value={tab.value} className={styles.tab}>
            {tab.label}
          </Headless.Trigger>
        ))}
      </Headless.List>
      {tabs.map(tab => (
        <Headless.Content key={tab.value} value={tab.value} className={styles.panel}>
          {tab.content}
        </Headless.Content>
      ))}
    </Headless.Root>
  );
}
