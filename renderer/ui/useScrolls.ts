import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Whether a box holds more than it shows: then the keyboard must be able to reach it. */
export function useScrolls<E extends HTMLElement>(): { ref: RefObject<E | null>; scrolls: boolean } {
  const ref = useRef<E>(null);
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () =>
      setScrolls(
        element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1,
      );
    measure();
    const observer = new ResizeObserver(measure);
    for (const one of [element, ...element.children]) observer.observe(one);
    return () => observer.disconnect();
  }, []);
  return { ref, scrolls };
}
