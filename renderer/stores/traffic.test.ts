import { beforeEach, describe, expect, it } from 'vitest';
import type { TrafficEntry } from '../../shared/traffic.ts';
import { addTraffic, useTraffic } from './traffic.ts';

const entry = (number: number, more: Partial<TrafficEntry> = {}): TrafficEntry => ({
  number,
  at: number,
  direction: 'sent',
  kind: 'request',
  bytes: 2,
  text: '{}',
  isCut: false,
  ...more,
});
const shown = () => useTraffic.getState().open;
const numbers = () => shown()?.entries.map(({ number }) => number);

describe('the messages that are looked at', () => {
  beforeEach(() =>
    useTraffic.setState({ open: { name: 'a', entries: [entry(1), entry(2)], missed: false } }),
  );

  it('go on with what is told, once', () => {
    addTraffic({ name: 'a', entries: [entry(2), entry(3)] });
    addTraffic({ name: 'b', entries: [entry(4)] });
    expect(numbers()).toEqual([1, 2, 3]);
    expect(shown()?.missed).toBe(false);
  });

  it('learn from an answer how long it took', () => {
    addTraffic({ name: 'a', entries: [entry(3, { kind: 'response', answers: 1, durationMs: 7 })] });
    expect(shown()?.entries.map(({ durationMs }) => durationMs)).toEqual([7, undefined, 7]);
  });

  it('say that some were left out', () => {
    addTraffic({ name: 'a', entries: [entry(9)] });
    addTraffic({ name: 'a', entries: [entry(10)] });
    expect(shown()).toMatchObject({ missed: true });
  });

  it('begin anew with an entry that was edited', () => {
    addTraffic({ name: 'a', entries: [entry(1, { at: 99 }), entry(2, { at: 99 })] });
    expect(shown()).toMatchObject({ entries: [{ at: 99 }, { at: 99 }], missed: false });
  });

  it('are no more than the host keeps', () => {
    addTraffic({ name: 'a', entries: Array.from({ length: 1500 }, (_, index) => entry(index + 3)) });
    expect(numbers()?.length).toBe(1000);
    expect(numbers()?.at(-1)).toBe(1502);
  });
});
