import { useEffect, useState } from 'react';

/** How long a question must have been on the screen before it can be agreed to, in milliseconds. */
const SETTLE_MS = 400;

/**
 * False right after something to decide on appeared, and after the window came to the front: a key or click that was
 * meant for what stood there before must not answer it.
 * @param what changes when something else is to be decided
 */
export function useSettled(what: string): boolean {
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    let timer: number | undefined;
    const begin = () => {
      clearTimeout(timer);
      setSettled(undefined);
      timer = window.setTimeout(() => setSettled(what), SETTLE_MS);
    };
    begin();
    window.addEventListener('focus', begin);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('focus', begin);
    };
  }, [what]);
  return settled === what;
}
