import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CallClock } from './callClock.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const isOver = ({ signal }: CallClock) => signal.aborted;

it('ends after a silence, and progress begins the silence anew', () => {
  const clock = new CallClock(1000, 60_000);
  vi.advanceTimersByTime(900);
  clock.touch();
  vi.advanceTimersByTime(900);
  expect(isOver(clock)).toBe(false);
  vi.advanceTimersByTime(100);
  expect(isOver(clock)).toBe(true);
});

it('ends after the total, whatever the progress', () => {
  const clock = new CallClock(1000, 5000);
  for (let ms = 0; ms < 4900; ms += 100) {
    vi.advanceTimersByTime(100);
    clock.touch();
  }
  expect(isOver(clock)).toBe(false);
  vi.advanceTimersByTime(100);
  expect(isOver(clock)).toBe(true);
});

it('stands still while a person is asked, by one question or several, progress or not', async () => {
  const clock = new CallClock(1000, 86_400_000);
  const answers: (() => void)[] = [];
  const ask = () => clock.pausedDuring(() => new Promise<void>(resolve => answers.push(resolve)));
  const both = [ask(), ask()];
  vi.advanceTimersByTime(50_000);
  clock.touch();
  vi.advanceTimersByTime(50_000);
  answers[0]?.();
  await both[0];
  vi.advanceTimersByTime(50_000);
  expect(isOver(clock)).toBe(false);
  answers[1]?.();
  await both[1];
  vi.advanceTimersByTime(999);
  expect(isOver(clock)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isOver(clock)).toBe(true);
});

it('leaves no timer behind when the call is over, also when a question ends later', async () => {
  const clock = new CallClock(1000, 5000);
  let answer: () => void = () => undefined;
  const asked = clock.pausedDuring(() => new Promise<void>(resolve => (answer = resolve)));
  clock.stop();
  answer();
  await asked;
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(10_000);
  expect(isOver(clock)).toBe(false);
});

it('asks after a silence, which progress and questions of the server end; no, or the total, ends it', async () => {
  const questions: { signal: AbortSignal; answer(goOn: boolean): void }[] = [];
  const clock = new CallClock(
    1000,
    10_000,
    signal => new Promise(answer => questions.push({ signal, answer })),
  );
  vi.advanceTimersByTime(1000);
  expect(isOver(clock)).toBe(false);
  clock.touch();
  expect(questions[0]?.signal.aborted).toBe(true);
  questions[0]?.answer(false);
  await vi.advanceTimersByTimeAsync(1000);
  await clock.pausedDuring(async () => {
    expect(questions[1]?.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(3000);
  });
  await vi.advanceTimersByTimeAsync(1000);
  questions[2]?.answer(true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(questions).toHaveLength(4);
  expect(isOver(clock)).toBe(false);
  questions[3]?.answer(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(isOver(clock)).toBe(true);

  const patient = new CallClock(1000, 5000, () => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(5000);
  expect(isOver(patient)).toBe(true);
});
