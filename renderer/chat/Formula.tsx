import { memo, useLayoutEffect, useRef, useState } from 'react';
import { useScrolls } from '../ui/useScrolls.ts';
import styles from './Formula.module.css';
import { readFormula } from './mathSyntax.ts';
import { useModule } from './useModule.ts';

interface Props {
  /** With its marks. */
  source: string;
  /** Its end has been written. */
  complete: boolean;
}

/** A formula; its source while it is being written, until the typesetter is there, and where that cannot read it. */
export const Formula = memo(function Formula({ source, complete }: Props) {
  const { tex, display } = readFormula(source);
  const typesetter = useModule(loadTypesetter);
  const place = useRef<HTMLSpanElement>(null);
  const { ref, scrolls } = useScrolls<HTMLSpanElement>();
  const [isSet, setIsSet] = useState(false);
  useLayoutEffect(() => {
    if (!typesetter || !place.current) return;
    setIsSet(complete && typesetter.typeset(tex, display, place.current));
  }, [typesetter, tex, display, complete]);
  return (
    <span
      ref={display ? ref : undefined}
      className={display ? styles.display : styles.inline}
      data-formula={isSet ? source : undefined}
      {...(scrolls ? { tabIndex: 0 } : {})}
    >
      <span className={styles.source} hidden={isSet}>
        {source}
      </span>
      <span ref={place} hidden={!isSet} />
    </span>
  );
});

const loadTypesetter = () => import('./typeset.ts');
