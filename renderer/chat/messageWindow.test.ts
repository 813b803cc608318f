import { describe, expect, it } from 'vitest';
import { fitted, latestWindow, windowWith, withEarlier, withLater } from './messageWindow.ts';

describe('the messages in the page', () => {
  it('are all of a short conversation, and the end of a long one', () => {
    expect(latestWindow(5)).toEqual({ start: 0 });
    expect(latestWindow(10_000)).toEqual({ start: 9940 });
  });

  it('are those around a message that was not there', () => {
    expect(windowWith(9950, latestWindow(10_000), 10_000)).toEqual({ start: 9940 });
    expect(windowWith(17, latestWindow(10_000), 10_000)).toEqual({ start: 0, end: 47 });
    expect(windowWith(9935, latestWindow(10_000), 10_000)).toEqual({ start: 9905, end: 9965 });
  });

  it('slide up and down without ever being many or leaving one out', () => {
    let window = latestWindow(10_000);
    const sizes: number[] = [];
    while (window.start > 0) {
      const before = window;
      window = withEarlier(window, 10_000);
      expect((window.end ?? 10_000) > before.start).toBe(true);
      sizes.push((window.end ?? 10_000) - window.start);
    }
    while (window.end !== undefined) {
      const before = window;
      window = withLater(window, 10_000);
      expect(window.start < (before.end ?? 0)).toBe(true);
      sizes.push((window.end ?? 10_000) - window.start);
    }
    expect(Math.max(...sizes)).toBe(300);
  });

  it('are there also when the conversation has become shorter, and all that come are', () => {
    expect(fitted({ start: 500, end: 800 }, 100)).toEqual({ start: 40 });
    expect(fitted({ start: 500, end: 800 }, 1000)).toEqual({ start: 500, end: 800 });
    expect(fitted({ start: 0 }, 1000)).toEqual({ start: 0 });
  });
});
