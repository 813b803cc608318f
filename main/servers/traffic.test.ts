import { describe, expect, it, vi } from 'vitest';
import type { TrafficEntry } from '../../shared/traffic.ts';
import { Traffic } from './traffic.ts';
import { WireTap } from './wireTap.ts';

const request = (id: number | string, method = 'tools/call') => ({ jsonrpc: '2.0', id, method });
const response = (id: number | string, result: object = {}) => ({ jsonrpc: '2.0', id, result });

describe('the messages of a server', () => {
  it('are kept in both directions, an answer with the method and duration of its request', () => {
    const { traffic, sent, received } = start();
    sent(request(1, 'tools/list'));
    received(request(1, 'roots/list'));
    sent({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } });
    received({ jsonrpc: '2.0', method: 'notifications/progress' });
    received(response('1'));
    const [asked, asking, refusal, news, answer] = traffic.entries();
    expect(asked).toMatchObject({
      number: 1,
      direction: 'sent',
      kind: 'request',
      method: 'tools/list',
      id: 1,
    });
    expect(asking).toMatchObject({ direction: 'received', kind: 'request', method: 'roots/list', id: 1 });
    expect(refusal).toMatchObject({ direction: 'sent', kind: 'error', method: 'roots/list', answers: 2 });
    expect(news).toMatchObject({ kind: 'notification', method: 'notifications/progress' });
    expect(answer).toMatchObject({ kind: 'response', method: 'tools/list', id: '1', answers: 1 });
    expect(answer?.durationMs).toBeGreaterThanOrEqual(0);
    expect(asked?.durationMs).toBe(answer?.durationMs);
    expect(asking?.durationMs).toBe(refusal?.durationMs);
    expect(news?.durationMs).toBeUndefined();
  });

  it('are told apart by session: ids begin anew with each', () => {
    const { traffic, sent } = start();
    sent(request(0, 'initialize'));
    const later = new WireTap(traffic);
    later.received('', response(0));
    expect(traffic.entries()[1]).not.toHaveProperty('answers');
  });

  it('that came several at once are several', () => {
    const { traffic, tap } = start();
    const batch = [response(1), { no: 'message' }, null, request(2, 'ping')];
    tap.received(JSON.stringify(batch), batch);
    expect(traffic.entries().map(({ text }) => JSON.parse(text))).toEqual([response(1), request(2, 'ping')]);
  });

  it('have their size in bytes, and beyond a limit only their beginning', () => {
    const { traffic, received } = start();
    received(response(1, { text: 'é' }));
    received(response(2, { text: 'é'.repeat(1_000_000) }));
    const [small, large] = traffic.entries();
    expect(small).toMatchObject({
      bytes: JSON.stringify(response(1, { text: 'é' })).length + 1,
      isCut: false,
    });
    expect(large).toMatchObject({ isCut: true });
    expect(large?.bytes).toBeGreaterThan(2_000_000);
    expect(large?.text.length).toBeLessThan(300_000);
    expect(JSON.parse(large?.text ?? '')).toMatchObject({
      id: 2,
      result: { text: expect.stringMatching(/^é{9}/) },
    });
  });

  it('hide a secret that the cut goes through', () => {
    const { traffic, received } = start();
    for (let before = 262_000; before < 262_144; before += 7)
      received(response(1, { text: `${'x'.repeat(before)}s3cret-value${'y'.repeat(100_000)}` }));
    for (const { text } of traffic.entries()) expect(text).not.toContain('s3c');
  });

  it('are at most a thousand, and not more text than a few megabytes', () => {
    const { traffic, received } = start();
    for (let id = 1; id <= 3500; id++) received(response(id));
    expect(traffic.entries().map(({ number }) => number)).toEqual(
      Array.from({ length: 1000 }, (_, at) => at + 2501),
    );
    for (let id = 1; id <= 100; id++) received(response(id, { text: 'x'.repeat(100_000) }));
    const entries = traffic.entries();
    expect(entries.at(-1)?.number).toBe(3600);
    const length = entries.reduce((sum, { text }) => sum + text.length, 0);
    expect(length).toBeGreaterThan(4_000_000);
    expect(length).toBeLessThanOrEqual(4 * 1024 * 1024);
  });

  it('still match when the request has made room', () => {
    const { traffic, sent, received } = start();
    sent(request(7, 'tools/call'));
    for (let step = 0; step < 1500; step++) received({ jsonrpc: '2.0', method: 'notifications/progress' });
    received(response(7));
    expect(traffic.entries().at(-1)).toMatchObject({
      method: 'tools/call',
      answers: 1,
      durationMs: expect.any(Number),
    });
  });

  it('keep only the beginning of a name or an id without end, and still match', () => {
    const { traffic, sent, received } = start();
    const id = 'i'.repeat(1_000_000);
    received({ jsonrpc: '2.0', id, method: 'm'.repeat(1_000_000) });
    sent({ jsonrpc: '2.0', id, result: {} });
    const [asked, answer] = traffic.entries();
    expect(asked).toMatchObject({ method: 'm'.repeat(200), id: 'i'.repeat(200), isCut: true });
    expect(answer).toMatchObject({ answers: 1, method: 'm'.repeat(200) });
  });

  it('may be malformed on purpose', () => {
    const { traffic, tap } = start();
    const trap = { toString: 1, valueOf: 1 };
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    for (const message of [
      { jsonrpc: '2.0', id: trap, method: 'x' },
      { jsonrpc: '2.0', id: trap, result: {} },
      { jsonrpc: '2.0', id: 1, method: trap, result: {} },
    ])
      tap.received(JSON.stringify(message), message);
    const batch = [{ jsonrpc: '2.0', id: 2, result: { deep } }, response(3)];
    tap.received('…', batch);
    expect(traffic.entries()).toMatchObject([
      { kind: 'request', method: 'x' },
      { kind: 'response' },
      { kind: 'response', id: 1 },
      { kind: 'response', id: 2, text: '' },
      { kind: 'response', id: 3 },
    ]);
  });

  it('can be forgotten, and go on with their numbers', () => {
    const { traffic, received } = start();
    received(response(1));
    traffic.clear();
    expect(traffic.entries()).toEqual([]);
    received(response(2));
    expect(traffic.entries()).toMatchObject([{ number: 2, id: 2 }]);
  });

  it('are not kept while that is switched off', () => {
    const { traffic, follower, sent, tap } = start();
    follower.recording = false;
    sent(request(1));
    tap.received('{}', response(1));
    tap.refused(JSON.stringify(request(1)), 500, 'no');
    expect(traffic.entries()).toEqual([]);
    follower.recording = true;
    sent(request(2));
    expect(traffic.entries()).toMatchObject([{ id: 2 }]);
  });

  it('hold what came over HTTP in the place of one', () => {
    const { traffic, tap, sent } = start();
    sent(request(3, 'tools/call'));
    tap.refused(JSON.stringify(request(3)), 502, '<p>Bad gateway</p>');
    expect(traffic.entries()[1]).toMatchObject({
      kind: 'error',
      direction: 'received',
      method: 'tools/call',
      id: 3,
      status: 502,
      answers: 1,
      text: '<p>Bad gateway</p>',
    });
  });

  it('hold nothing that is no message, such as the form of a sign-in', () => {
    const { traffic, tap } = start();
    tap.sent('grant_type=authorization_code&code=abc');
    tap.sent('{"client_name":"Parley"}');
    tap.refused('grant_type=authorization_code', 400, '{"error":"invalid_grant"}');
    expect(traffic.entries()).toEqual([]);
  });

  it('are told to whoever follows, a few times a second and of a flood the newest', () => {
    vi.useFakeTimers();
    try {
      const { follower, received, traffic } = start();
      received(response(1));
      vi.advanceTimersByTime(5000);
      expect(follower.heard).toEqual([]);
      follower.wanted = true;
      received(response(2));
      received(response(3));
      vi.advanceTimersByTime(249);
      expect(follower.heard).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(follower.heard.map(told => told.map(({ id }) => id))).toEqual([[2, 3]]);
      for (let id = 4; id < 5000; id++) received(response(id));
      vi.advanceTimersByTime(250);
      expect(follower.heard[1]).toHaveLength(200);
      expect(follower.heard[1]?.at(-1)?.id).toBe(4999);
      for (let id = 1; id < 20; id++) received(response(id, { text: 'x'.repeat(100_000) }));
      vi.advanceTimersByTime(250);
      expect(follower.heard[2]).toHaveLength(5);
      received(response(6000));
      traffic.close();
      expect(follower.heard[3]).toMatchObject([{ id: 6000 }]);
    } finally {
      vi.useRealTimers();
    }
  });
});

function start() {
  const follower = {
    recording: true,
    wanted: false,
    heard: [] as TrafficEntry[][],
    isRecording: () => follower.recording,
    isWanted: () => follower.wanted,
    hear: (entries: TrafficEntry[]) => void follower.heard.push(entries),
  };
  const traffic = new Traffic(text => text.replaceAll('s3cret-value', '[hidden]'), follower);
  const tap = new WireTap(traffic);
  return {
    traffic,
    tap,
    follower,
    sent: (message: object) => tap.sent(JSON.stringify(message), message),
    received: (message: object) => tap.received(JSON.stringify(message), message),
  };
}
