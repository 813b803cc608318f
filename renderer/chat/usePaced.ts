import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Rendering gets at most one part in this many of the time. */
const SHARE = 4;

/**
 * `text`, renewed only as often as showing it can be afforded: what takes long to render while it grows is shown in
 * larger steps, so that the window stays quick. The last text always arrives.
 */
export function usePaced(text: string): string {
  const [shown, setShown] = useState(text);
  const began = useRef<number>(undefined);
  const free = useRef(0);
  const renew = () => {
    began.current = performance.now();
    setShown(text);
  };
  // At once, as part of this very rendering, where it is time.
  if (text !== shown && performance.now() >= free.current) renew();
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures what it took to show this text
  useLayoutEffect(() => {
    const now = performance.now();
    free.current = began.current === undefined ? 0 : now + (now - began.current) * (SHARE - 1);
  }, [shown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: renewing belongs to these two
  useEffect(() => {
    if (text === shown) return;
    const timer = setTimeout(renew, Math.max(0, free.current - performance.now()));
    return () => clearTimeout(timer);
  }, [text, shown]);
  return shown;
}
