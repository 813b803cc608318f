import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import styles from './Clipped.module.css';

/** Long text, clipped to a few lines until it is wanted. */
export function Clipped({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  const [clipped, setClipped] = useState(false);
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setClipped(element.scrollHeight > element.clientHeight + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div>
      <div ref={ref} className={open ? styles.open : styles.clipped}>
        {children}
      </div>
      {(clipped || open) && (
        <button type="button" className={styles.more} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : 'Show all'}
        </button>
      )}
    </div>
  );
}
