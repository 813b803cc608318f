import { useEffect, useState } from 'react';

/** How long a question must have been on the screen before it can be answered, in milliseconds. */
const SETTLE_MS = 400;

/**
 * False right after a question appeared: a key or click that was meant for what stood there before must not answer
 * it. The component must be mounted anew for each question (`key={ask.id}`).
 */
export function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, []);
  return settled;
}
