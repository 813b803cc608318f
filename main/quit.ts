/** Why things end when Parley itself does: what runs elsewhere, such as a task of a server, is left running. */
export const QUIT = new DOMException('Parley is closing.', 'AbortError');

/** Whether it fired because Parley ends, and not because the person wanted to stop something. */
export function isQuit(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === QUIT;
}
