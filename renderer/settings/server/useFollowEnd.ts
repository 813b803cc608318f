import { type RefObject, useLayoutEffect, useRef } from 'react';

/** From the end, in pixels, that still counts as being there. */
const NEAR = 20;

/** Keeps the end of a scrolling element in view as it grows, unless the person has scrolled up to read. */
export function useFollowEnd<T extends HTMLElement>(
  content: unknown,
): { ref: RefObject<T | null>; onScroll(): void } {
  const ref = useRef<T>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content is what makes it grow
  useLayoutEffect(() => {
    if (isAtEnd.current) ref.current?.scrollTo({ top: ref.current.scrollHeight });
  }, [content]);
  return {
    ref,
    onScroll: () => {
      const element = ref.current;
      if (element) isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    },
  };
}
