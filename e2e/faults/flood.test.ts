import { describe, expect, it, vi } from 'vitest';
import { startWithNeighbour, stdioFault } from './support/bench.ts';
import { keepsMemory } from './support/memory.ts';

const OK = [{ type: 'text', text: 'ok' }];

describe('a local server', () => {
  it('that writes garbage without end is used all the same, and a bounded part of it is in its log', async () => {
    const { entry } = await stdioFault('garbageWithoutEnd');
    const { call, isReady, manager, neighbourIsWell, whileNeighbourAnswers } =
      await startWithNeighbour(entry);
    await isReady();
    const memory = keepsMemory();
    const work = (async () => {
      for (let nth = 0; nth < 5; nth++) expect((await call()).content).toEqual(OK);
    })();
    await whileNeighbourAnswers(work);
    expect(manager.logEntries('faulty').length).toBeLessThanOrEqual(1000);
    memory.check();
    await neighbourIsWell();
  });

  it('that never ends a line loses its call, and no more is kept of the line than of a message', async () => {
    const { entry } = await stdioFault('lineWithoutEnd');
    const { call, refusal, isReady, view, neighbourIsWell, whileNeighbourAnswers } = await startWithNeighbour(
      {
        ...entry,
        timeoutMs: 3000,
      },
    );
    await isReady();
    const memory = keepsMemory();
    expect(await whileNeighbourAnswers(refusal(call()))).toMatchObject({ code: 'call.timeout' });
    expect(view('faulty')?.state).toBe('ready');
    memory.check();
    await neighbourIsWell();
  });

  it('that floods stderr, with lines or without, is not slowed and not believed to have failed', async () => {
    const { entry } = await stdioFault('stderrWithoutEnd');
    const { call, isReady, manager, neighbourIsWell, whileNeighbourAnswers } =
      await startWithNeighbour(entry);
    await isReady();
    const memory = keepsMemory();
    const work = (async () => {
      await vi.waitFor(() => expect(manager.log('faulty').at(-1)).toBe('tick'), { timeout: 20_000 });
      for (let nth = 0; nth < 5; nth++) expect((await call()).content).toEqual(OK);
    })();
    await whileNeighbourAnswers(work);
    for (const text of manager.log('faulty')) expect(text.length).toBeLessThanOrEqual(2000);
    memory.check();
    await neighbourIsWell();
  });

  it.each([
    ['200 MB', 'hugeAnswer', /left out: it has more than 64 MB/],
    ['100 MB with its id at the end', 'hugeAnswerIdLast', /left out: it has more than 64 MB/],
    ['a hundred thousand levels', 'deepAnswer', /left out: it is nested more than 500 levels/],
    ['millions of values', 'manyValues', /left out: it holds more than 1000000 values/],
  ])('that answers with %s ends the call in words, and stays', async (_what, fault, words) => {
    const { entry, calls } = await stdioFault(fault);
    const { call, refusal, isReady, log, view, neighbourIsWell, whileNeighbourAnswers } =
      await startWithNeighbour(entry);
    await isReady();
    const memory = keepsMemory();
    expect((await whileNeighbourAnswers(refusal(call()))).message).toMatch(words);
    memory.check();
    expect(view('faulty')).toMatchObject({ state: 'ready', notes: [expect.stringContaining('too large')] });
    expect(log()).toContain('A message was left out');
    expect((await refusal(call())).message).toMatch(words);
    expect(await calls()).toBe(2);
    await neighbourIsWell();
  });

  it('that answers with as much as may be is heard', async () => {
    const { entry } = await stdioFault('largeAnswer');
    const { call, isReady, neighbourIsWell, whileNeighbourAnswers } = await startWithNeighbour(entry);
    await isReady();
    const { content } = await whileNeighbourAnswers(call());
    expect((content[0] as unknown as { text: string }).text).toHaveLength(60 << 20);
    await neighbourIsWell();
  });

  it.each([
    ['a million log messages', 'millionLogs'],
    ['a million reports of progress', 'millionProgress'],
    ['a hundred thousand answers to nothing', 'strayAnswers'],
    ['fifty thousand pings, and reads none of their answers', 'pingsWithoutReading'],
  ])('that sends %s with its answer is heard, and the rest is bounded', async (_what, fault) => {
    const { entry, calls } = await stdioFault(fault);
    const { call, isReady, manager, neighbourIsWell, whileNeighbourAnswers } =
      await startWithNeighbour(entry);
    await isReady();
    const memory = keepsMemory();
    expect((await whileNeighbourAnswers(call())).content).toEqual(OK);
    memory.check();
    expect(manager.logEntries('faulty').length).toBeLessThanOrEqual(1000);
    expect(await calls()).toBe(1);
    await neighbourIsWell();
  });

  it('that tells of changes without end is read a few times, and once more when it is quiet', async () => {
    const { entry, count } = await stdioFault('millionChanges');
    const { call, isReady, neighbourIsWell, whileNeighbourAnswers } = await startWithNeighbour(entry);
    await isReady();
    await whileNeighbourAnswers(call());
    await vi.waitFor(async () => expect(await count('list')).toBeGreaterThan(1), { timeout: 10_000 });
    expect(await count('list')).toBeLessThan(10);
    await neighbourIsWell();
  });

  it('that asks two hundred questions at once has twenty shown, and the others refused', async () => {
    const { entry, count } = await stdioFault('manyQuestions');
    const { call, isReady, asks, neighbourIsWell } = await startWithNeighbour(entry);
    await isReady();
    const stop = new AbortController();
    const stopped = call(stop.signal).catch(() => undefined);
    await vi.waitFor(async () => expect(await count('refused')).toBe(180), { timeout: 20_000 });
    expect(asks.pending()).toHaveLength(20);
    await neighbourIsWell();
    stop.abort();
    await stopped;
    await expect.poll(() => asks.pending()).toEqual([]);
  });

  it('that asks with endless forms, messages or addresses shows nothing to the person', async () => {
    const { entry, count } = await stdioFault('endlessForms');
    const { call, isReady, events, neighbourIsWell } = await startWithNeighbour(entry);
    await isReady();
    await call();
    await vi.waitFor(async () => expect(await count('refused')).toBe(3));
    expect(events.filter(({ name }) => name === 'ask.opened')).toEqual([]);
    await neighbourIsWell();
  });

  it('that lists a hundred thousand tools has two thousand of them offered', async () => {
    const { entry } = await stdioFault('hundredThousandTools');
    const { call, isReady, view, neighbourIsWell } = await startWithNeighbour(entry);
    await isReady();
    expect(view('faulty')).toMatchObject({
      counts: { tools: 2000 },
      notes: [expect.stringContaining('more than 2000 items')],
    });
    expect((await call()).content).toEqual(OK);
    await neighbourIsWell();
  });

  it('that describes itself and its tools in megabytes is told in short, and what cannot be cut is left out', async () => {
    const { entry } = await stdioFault('hugeWords');
    const { call, isReady, manager, view, neighbourIsWell } = await startWithNeighbour(entry);
    await isReady();
    expect(JSON.stringify(view('faulty')).length).toBeLessThan(60_000);
    expect(view('faulty')?.serverInfo?.name).toMatch(/^x+ \[…\]$/);
    const tools = manager.connection('faulty')?.tools ?? [];
    expect(tools.map(({ name }) => name)).toEqual(['echo']);
    expect(JSON.stringify(tools).length).toBeLessThan(30_000);
    const notes = view('faulty')?.notes ?? [];
    expect(notes.join()).toContain('name has more than 1000 characters');
    expect(notes.join()).toContain('larger than 256 KB');
    expect(notes.length).toBeLessThanOrEqual(51);
    expect((await call()).content).toEqual(OK);
    await neighbourIsWell();
  });
});
