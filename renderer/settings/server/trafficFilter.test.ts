import { describe, expect, it } from 'vitest';
import type { TrafficEntry } from '../../../shared/traffic.ts';
import { EVERYTHING, filterTraffic } from './trafficFilter.ts';
import { entryJson, trafficJson } from './trafficJson.ts';

const entry = (number: number, more: Partial<TrafficEntry>): TrafficEntry => ({
  number,
  at: Date.UTC(2027, 0, 1),
  direction: 'sent',
  kind: 'request',
  bytes: 2,
  text: '{}',
  isCut: false,
  ...more,
});
const entries = [
  entry(1, { method: 'tools/call', id: 41, text: '{"id":41,"params":{"city":"Rome"}}' }),
  entry(2, { method: 'notifications/progress', kind: 'notification', direction: 'received' }),
  entry(3, { method: 'tools/call', kind: 'response', direction: 'received', id: 41 }),
  entry(4, { kind: 'error', direction: 'received', status: 502, text: '<p>Bad gateway</p>' }),
];

describe('the messages of a server', () => {
  it.each([
    [{}, [1, 2, 3, 4]],
    [{ words: 'rome' }, [1]],
    [{ words: ' TOOLS/call ' }, [1, 3]],
    [{ words: '41' }, [1, 3]],
    [{ words: 'nowhere' }, []],
    [{ direction: 'received' }, [2, 3, 4]],
    [{ kind: 'requests' }, [1]],
    [{ kind: 'answers' }, [3, 4]],
    [{ kind: 'errors' }, [4]],
    [{ kind: 'notifications' }, [2]],
    [{ kind: 'answers', words: 'gateway', direction: 'received' }, [4]],
    [{ kind: 'requests', direction: 'received' }, []],
  ] as const)('are filtered by %j', (filter, numbers) =>
    expect(filterTraffic(entries, { ...EVERYTHING, ...filter }).map(({ number }) => number)).toEqual(numbers),
  );

  it('are copied as JSON, with the message as it is', () => {
    expect(JSON.parse(trafficJson(entries))).toMatchObject([
      {
        number: 1,
        time: '2027-01-01T00:00:00.000Z',
        method: 'tools/call',
        message: { params: { city: 'Rome' } },
      },
      { number: 2 },
      { number: 3 },
      { number: 4, status: 502, message: '<p>Bad gateway</p>' },
    ]);
    expect(JSON.parse(entryJson(entry(5, { isCut: true })))).toEqual({
      number: 5,
      time: '2027-01-01T00:00:00.000Z',
      direction: 'sent',
      kind: 'request',
      bytes: 2,
      isCut: true,
      message: {},
    });
  });
});
