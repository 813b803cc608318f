import { describe, expect, it, vi } from 'vitest';
import { ERAS, startWithNeighbour, stdioFault } from './support/bench.ts';

const OK = [{ type: 'text', text: 'ok' }];

describe.each(ERAS)('a local server (%s)', era => {
  it('that dies at its start says its exit and its last words', async () => {
    const { entry } = await stdioFault('deathAtStart', era);
    const { hasFailed, neighbourIsWell } = await startWithNeighbour(entry);
    expect(await hasFailed()).toMatchObject({
      code: 'server.exited',
      message: 'The server ended with exit code 3:\nMissing API_KEY',
      hint: expect.stringContaining('Restart'),
    });
    await neighbourIsWell();
  });

  it('that dies in the handshake says so too, and is not started for ever', async () => {
    const { entry, starts } = await stdioFault('deathAtHandshake', era);
    const { hasFailed, neighbourIsWell } = await startWithNeighbour(entry);
    expect((await hasFailed())?.message).toMatch(/exit code 4:\nlicence expired/);
    // A second one to find out whether it was the question for its era that it died of.
    expect(await starts()).toBeLessThanOrEqual(2);
    await neighbourIsWell();
  });

  it('that hangs in the handshake shows what it last said, and the person can end it', async () => {
    const { entry } = await stdioFault('hangAtHandshake', era);
    const { manager, view, neighbourIsWell } = await startWithNeighbour(entry);
    await expect.poll(() => view('faulty')?.activity, { timeout: 20_000 }).toBe('waiting for a lock');
    await neighbourIsWell();
    await manager.setEnabled('faulty', false);
    expect(view('faulty')?.state).toBe('off');
  });

  it('that dies in the middle of a call ends it in words, is back, and is not called again', async () => {
    const { entry, calls } = await stdioFault('deathMidCall', era);
    const { call, refusal, isReady, log, neighbourIsWell } = await startWithNeighbour(entry);
    await isReady();
    expect(await refusal(call())).toMatchObject({
      code: 'server.gone',
      message: expect.stringMatching(/ended while “echo” was running; it may have been done/),
      hint: expect.any(String),
    });
    await isReady();
    expect(await calls()).toBe(1);
    expect(log()).toContain('out of cheese');
    await neighbourIsWell();
  });

  it('that dies again and again is started a few times, and then left with its last words', async () => {
    const { entry, starts } = await stdioFault('crashLoop', era);
    const { view, events, neighbourIsWell } = await startWithNeighbour(entry, {
      restartPausesMs: [10, 20, 40],
    });
    await vi.waitFor(() => expect(view('faulty')?.error?.message).toContain('crash number 4'), {
      timeout: 20_000,
    });
    expect(view('faulty')).toMatchObject({
      state: 'failed',
      error: { code: 'server.exited', hint: expect.not.stringContaining('starts it again') },
    });
    const lives = await starts();
    expect(lives).toBe(4);
    const hints = events.flatMap(event =>
      event.name === 'server.changed' ? (event.payload.error?.hint ?? []) : [],
    );
    expect(hints.filter(hint => hint.includes('starts it again'))).toHaveLength(3);
    await neighbourIsWell();
    expect(await starts()).toBe(lives);
  });

  it('that hangs in a call loses only that call', async () => {
    const { entry, calls } = await stdioFault('hangMidCall', era);
    const { call, refusal, isReady, view, neighbourIsWell } = await startWithNeighbour({
      ...entry,
      timeoutMs: 200,
    });
    await isReady();
    expect(await refusal(call())).toMatchObject({
      code: 'call.timeout',
      message: '“echo” did not answer in time.',
      hint: expect.stringContaining('still be running'),
    });
    expect(await calls()).toBe(1);
    expect(view('faulty')?.state).toBe('ready');
    await neighbourIsWell();
  });

  it('that answers twice is believed the first time, and the second answer is in its log', async () => {
    const { entry, calls } = await stdioFault('answersTwice', era);
    const { call, isReady, log, neighbourIsWell } = await startWithNeighbour(entry);
    await isReady();
    expect((await call()).content).toEqual([{ type: 'text', text: 'first' }]);
    expect((await call()).content).toEqual([{ type: 'text', text: 'first' }]);
    expect(log()).toMatch(/nobody asked|unknown message ID/i);
    expect(await calls()).toBe(2);
    await neighbourIsWell();
  });

  it('that answers what nobody asked is heard on what was asked', async () => {
    const { entry, calls } = await stdioFault('unknownId', era);
    const { call, isReady, log, neighbourIsWell } = await startWithNeighbour(entry);
    await isReady();
    expect((await call()).content).toEqual(OK);
    expect(log()).toContain('987654');
    expect(await calls()).toBe(1);
    await neighbourIsWell();
  });

  it('that writes another version of JSON-RPC is not believed, and its lines are in its log', async () => {
    const { entry, calls } = await stdioFault('wrongVersion', era);
    const { call, isReady, log, view, neighbourIsWell } = await startWithNeighbour(entry);
    await isReady();
    expect((await call()).content).toEqual(OK);
    expect(log()).toContain('"jsonrpc":"1.0"');
    expect(view('faulty')?.notes.join()).toContain('not protocol');
    expect(await calls()).toBe(1);
    await neighbourIsWell();
  });

  it('that spells a number as text is understood', async () => {
    const { entry, calls } = await stdioFault('textId', era);
    const { call, isReady, neighbourIsWell } = await startWithNeighbour(entry);
    await isReady();
    expect((await call()).content).toEqual(OK);
    expect(await calls()).toBe(1);
    await neighbourIsWell();
  });

  it('that writes garbage on stdout goes on, and says so once', async () => {
    const { entry, calls } = await stdioFault('garbage', era);
    const { call, isReady, view, log, neighbourIsWell } = await startWithNeighbour(entry);
    await isReady();
    expect((await call()).content).toEqual(OK);
    expect((await call()).content).toEqual(OK);
    expect(view('faulty')?.notes.filter(note => note.includes('not protocol'))).toHaveLength(1);
    // Neither terminal codes nor broken characters do any harm there.
    expect(log()).toContain('{{{');
    expect(log()).not.toContain('\u001b');
    expect(await calls()).toBe(2);
    await neighbourIsWell();
  });

  it('that ends in the middle of a line ends the call, and the piece is in its log', async () => {
    const { entry, calls } = await stdioFault('partialLine', era);
    const { call, refusal, isReady, log, neighbourIsWell } = await startWithNeighbour(entry);
    await isReady();
    expect(await refusal(call())).toMatchObject({ code: 'server.gone' });
    expect(log()).toContain('{"jsonrpc":"2.0","id"');
    await isReady();
    expect(await calls()).toBe(1);
    await neighbourIsWell();
  });

  it('that ends with a whole answer and no line end has answered', async () => {
    const { entry, calls } = await stdioFault('unendedLine', era);
    const { call, isReady, neighbourIsWell } = await startWithNeighbour(entry);
    await isReady();
    expect((await call()).content).toEqual(OK);
    expect(await calls()).toBe(1);
    await neighbourIsWell();
  });
});
