import { useCallback, useEffect, useRef, useState } from 'react';

const NEAR = 48;

/** Keeps a growing list at its end while the person is there, and leaves it alone when they have scrolled away. */
export function useStickToEnd() {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sticking = useRef(true);
  const [atEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    sticking.current = true;
    setAtEnd(true);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, []);

  useEffect(() => {
    const [box, inner] = [scroller.current, content.current];
    if (!box || !inner) return;
    let top = box.scrollTop;
    const onScroll = () => {
      const near = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
      // Content that grows below also moves the end away: only who scrolls up has left it.
      if (near) sticking.current = true;
      else if (box.scrollTop < top) sticking.current = false;
      top = box.scrollTop;
      setAtEnd(sticking.current);
    };
    const follow = () => {
      if (sticking.current) box.scrollTop = box.scrollHeight;
    };
    box.addEventListener('scroll', onScroll, { passive: true });
    const resized = new ResizeObserver(follow);
    resized.observe(inner);
    resized.observe(box);
    follow();
    return () => {
      box.removeEventListener('scroll', onScroll);
      resized.disconnect();
    };
  }, []);

  return { scroller, content, atEnd, toEnd };
}
