import type { KeyboardEvent } from 'react';

/**
 * Whether a key belongs to an input method, which uses Enter and Esc itself. Some systems send the key after the
 * composition has ended, known only by its code 229.
 */
export function belongsToInputMethod(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229;
}
