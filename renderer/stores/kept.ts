import { useCallback } from 'react';
import { create } from 'zustand';

const useValues = create<Record<string, unknown>>(() => ({}));

/**
 * Like `useState`, but by a key and for as long as the window is open: what a person has opened or chosen in a
 * conversation outlives the components, which come and go while one scrolls.
 */
export function useKept<T>(key: string, initial: T): [T, (value: T) => void] {
  const value = useValues(values => (key in values ? (values[key] as T) : initial));
  return [value, useCallback((next: T) => keep(key, next), [key])];
}

/** Opens or chooses something for the person, also in what is not in the page. */
export function keep(key: string, value: unknown): void {
  useValues.setState({ [key]: value });
}
