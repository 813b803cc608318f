import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localDateTime, toRfc3339 } from './dateTime.ts';

describe('dates with a time', () => {
  const zone = process.env.TZ;
  beforeAll(() => {
    process.env.TZ = 'America/St_Johns';
  });
  afterAll(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('get the zone that is in force on that day', () => {
    expect(toRfc3339('2026-01-15T09:30')).toBe('2026-01-15T09:30:00-03:30');
    expect(toRfc3339('2026-07-15T09:30')).toBe('2026-07-15T09:30:00-02:30');
  });

  it('keep a zone that they name', () => {
    expect(toRfc3339('2026-01-15T09:30:00.25Z')).toBe('2026-01-15T09:30:00.25Z');
  });

  it('are shown in local time', () => {
    expect(localDateTime('2026-01-15T09:30:00Z')).toBe('2026-01-15T06:00:00');
  });

  it.each(['', 'now', '2026-02-29T00:00', '2026-13-01T00:00', '2026-01-01T25:00', '2026-01-01'])(
    '%j is none',
    text => {
      expect(localDateTime(text)).toBeUndefined();
    },
  );
});
