/**
 * Which messages of a long conversation are in the page: from `start` to before `end`, or to the last one, whatever
 * comes. It slides while one scrolls, so that the page never holds more than a few hundred.
 */
export interface MessageWindow {
  start: number;
  /** Absent: the latest message is in it. */
  end?: number;
}

const FIRST = 60;
const STEP = 60;
const MOST = 300;

/** The end of the conversation. */
export function latestWindow(length: number): MessageWindow {
  return { start: Math.max(0, length - FIRST) };
}

/** What is around one message, when it is not in the window already. */
export function windowWith(index: number, window: MessageWindow, length: number): MessageWindow {
  if (index >= window.start && index < (window.end ?? length)) return window;
  return bounded(Math.max(0, index - FIRST / 2), index + FIRST / 2, length);
}

export function withEarlier({ start, end }: MessageWindow, length: number): MessageWindow {
  const from = Math.max(0, start - STEP);
  return bounded(from, Math.min(end ?? length, from + MOST), length);
}

export function withLater({ start, end }: MessageWindow, length: number): MessageWindow {
  const to = (end ?? length) + STEP;
  return bounded(Math.max(start, to - MOST), to, length);
}

/** The same, where the conversation has become shorter than it says: by another branch, or by deleting. */
export function fitted({ start, end }: MessageWindow, length: number): MessageWindow {
  return bounded(Math.min(start, latestWindow(length).start), end ?? length, length);
}

function bounded(start: number, end: number, length: number): MessageWindow {
  return end >= length ? { start } : { start, end };
}
