/**
 * Whether a key belongs to an input method, which uses Enter and Esc itself. Some systems send the key after the
 * composition has ended, known only by its code 229.
 */
export function belongsToInputMethod(event: KeyboardEvent | { nativeEvent: KeyboardEvent }): boolean {
  const { isComposing, keyCode } = 'nativeEvent' in event ? event.nativeEvent : event;
  return isComposing || keyCode === 229;
}
