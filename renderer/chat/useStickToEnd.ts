import { useCallback, useEffect, useRef, useState } from 'react';

const NEAR = 48;
const UPWARDS = new Set(['ArrowUp', 'PageUp', 'Home', ' ']);

/**
 * Keeps a growing list at its end while the person is there, and leaves it alone when they have scrolled away.
 * `hasEnd`: the end of the list is its true end, not only where the part that is in the page ends.
 */
export function useStickToEnd(hasEnd: boolean) {
  const endIsThere = useRef(hasEnd);
  endIsThere.current = hasEnd;
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sticking = useRef(true);
  const [atEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    sticking.current = true;
    setAtEnd(true);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, []);

  const away = useCallback(() => {
    sticking.current = false;
    // Where everything is in view, there is no other end to go to.
    const box = scroller.current;
    setAtEnd(box !== null && box.scrollHeight <= box.clientHeight);
  }, []);

  useEffect(() => {
    const [box, inner] = [scroller.current, content.current];
    if (!box || !inner) return;
    const place = () => ({ top: box.scrollTop, height: box.scrollHeight, view: box.clientHeight });
    let last = place();
    let byHand = false;
    const onHand = (event: Event) => {
      if (scrollsUp(event, box)) byHand = true;
    };
    const onScroll = () => {
      const now = place();
      if (endIsThere.current && now.height - now.top - now.view < NEAR) {
        sticking.current = true;
        byHand = false;
      } else if (now.top < last.top && (byHand || (now.height === last.height && now.view === last.view))) {
        // A place further up by itself proves nothing: a list whose room grows and shrinks again, as when one
        // question follows another, is moved up by the browser.
        sticking.current = false;
      }
      last = now;
      setAtEnd(sticking.current);
    };
    const follow = () => {
      if (sticking.current && endIsThere.current) box.scrollTop = box.scrollHeight;
      else onScroll();
    };
    // What a person opens stays where it is.
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('[aria-expanded], summary')) sticking.current = false;
    };
    const hands = ['wheel', 'touchmove', 'pointerdown', 'keydown'];
    for (const hand of hands) box.addEventListener(hand, onHand, { passive: true });
    box.addEventListener('scroll', onScroll, { passive: true });
    inner.addEventListener('click', onClick, { capture: true });
    const resized = new ResizeObserver(follow);
    resized.observe(inner);
    resized.observe(box);
    follow();
    return () => {
      for (const hand of hands) box.removeEventListener(hand, onHand);
      box.removeEventListener('scroll', onScroll);
      inner.removeEventListener('click', onClick, { capture: true });
      resized.disconnect();
    };
  }, []);

  return { scroller, content, atEnd, toEnd, away };
}

/** Whether the person may be scrolling up with this: the wheel, a finger, the scroll bar or a key. */
function scrollsUp(event: Event, box: HTMLElement): boolean {
  if (event instanceof WheelEvent) return event.deltaY < 0;
  if (event instanceof KeyboardEvent) return UPWARDS.has(event.key);
  return event.type === 'touchmove' || event.target === box;
}
