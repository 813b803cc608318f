import { type RefObject, useEffect, useRef } from 'react';

/**
 * Brings a new question into view and the keyboard to it, unless the person is typing somewhere: then the focus stays
 * where it is, and the question is the next stop of Shift+Tab from the composer.
 */
export function useFocusOnArrival<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null);
  useEffect(() => {
    ref.current?.scrollIntoView({ block: 'nearest' });
    if (!isTyping(document.activeElement)) ref.current?.focus({ preventScroll: true });
  }, []);
  return ref;
}

function isTyping(element: Element | null): boolean {
  return element?.matches('input, textarea, select, [contenteditable], [role="dialog"] *') ?? false;
}
