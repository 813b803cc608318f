import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Rendering gets at most one part in this many of the time. */
const SHARE = 4;
/** After a key, text waits for a pause of this length, so that what is typed comes first. In milliseconds. */
const PAUSE_MS = 120;
/** But no longer than this since it was last renewed. */
const LONGEST_WAIT_MS = 250;

let lastKey = Number.NEGATIVE_INFINITY;
window.addEventListener(
  'keydown',
  ({ timeStamp }) => {
    lastKey = timeStamp;
  },
  { capture: true },
);

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
  const timeLeft = () => {
    const typing = Math.min(lastKey + PAUSE_MS, (began.current ?? 0) + LONGEST_WAIT_MS);
    return Math.max(free.current, typing) - performance.now();
  };
  // At once, as part of this very rendering, where it is time.
  if (text !== shown && timeLeft() <= 0) renew();
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures what it took to show this text
  useLayoutEffect(() => {
    const now = performance.now();
    free.current = began.current === undefined ? 0 : now + (now - began.current) * (SHARE - 1);
  }, [shown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it calls belongs to these two
  useEffect(() => {
    if (text === shown) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      const left = timeLeft();
      if (left <= 0) renew();
      else timer = setTimeout(wait, left);
    };
    wait();
    return () => clearTimeout(timer);
  }, [text, shown]);
  return shown;
}
