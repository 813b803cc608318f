import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { Icon } from '../../../shared/icons.ts';
import type { Annotations } from '../../../shared/offers.ts';
import { HiddenText } from '../../asks/HiddenText.tsx';
import { Button } from '../../ui/Button.tsx';
import { ServerIcon } from '../../ui/ServerIcon.tsx';
import styles from './OfferRow.module.css';

interface Props {
  /** What a person calls it. */
  title: string;
  /** Its address or name, when that is something else. */
  name?: string | undefined;
  description?: string | undefined;
  /** Few words about it, such as its type and size. */
  facts?: readonly (string | undefined)[];
  annotations?: Annotations | undefined;
  icons?: readonly Icon[] | undefined;
  /** Shown, and there at all, only while the row is open. */
  children: ReactNode;
}

/** One resource, template or prompt: a line that opens. */
export function OfferRow({ title, name, description, facts = [], annotations, icons, children }: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const words = [...facts, ...hintsOf(annotations)].filter(word => word !== undefined);
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        <Button
          variant="ghost"
          size="small"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? (
            <ChevronDown size={14} aria-hidden="true" />
          ) : (
            <ChevronRight size={14} aria-hidden="true" />
          )}
          <ServerIcon icons={icons} />
          <HiddenText text={title} />
        </Button>
        {name !== undefined && name !== title && (
          <code className={styles.name}>
            <HiddenText text={name} />
          </code>
        )}
        {words.length > 0 && (
          <span className={styles.facts}>
            <HiddenText text={words.join(' · ')} />
          </span>
        )}
      </div>
      {open && (
        <div id={id} className={styles.details}>
          {description && (
            <p className={styles.description}>
              <HiddenText text={description} />
            </p>
          )}
          {children}
        </div>
      )}
    </li>
  );
}

/** The server's own hints, in words. */
function hintsOf(annotations: Annotations | undefined): string[] {
  const { audience = [], priority, lastModified } = annotations ?? {};
  return [
    ...(audience.length === 1 ? [audience[0] === 'user' ? 'for you' : 'for the model'] : []),
    ...(priority === undefined ? [] : [`importance ${Math.round(priority * 100)} %`]),
    ...(lastModified === undefined ? [] : [`changed ${lastModified}`]),
  ];
}
