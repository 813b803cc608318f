import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { referenceServer } from '../../e2e/support/host.ts';
import { nodeEntry, rawEntry, reaches, sampleEntry, startManager } from '../../e2e/support/manager.ts';
import { bundle } from '../../scripts/testing/bundle.mjs';

const never = new AbortController().signal;

let built: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  built = await bundle('sampleServer');
}, 60_000);
afterAll(() => built.remove());

describe('questions of two calls at a time', () => {
  it('of a modern server each belong to the conversation of their own call', async () => {
    const { manager, asks } = await startManager({ sample: sampleEntry(built) });
    await reaches(manager, 'sample', 'ready');
    const call = (conversationId: string) =>
      manager.connection('sample')?.callTool('book-table', {}, { signal: never, conversationId });
    const calls = [call('one'), call('two')];
    await vi.waitFor(() => expect(asks.pending()).toHaveLength(2), 10_000);
    for (const ask of asks.pending())
      asks.answer(ask.id, { action: ask.conversationId === 'one' ? 'decline' : 'cancel' });
    expect(JSON.stringify(await calls[0])).toContain('declined');
    expect(JSON.stringify(await calls[1])).toContain('closed the form');
  });

  it('of a legacy one, which does not say whose they are, end with the calls and not before', async () => {
    const { manager, asks } = await startManager({
      old: nodeEntry(referenceServer('everything'), ['stdio']),
    });
    await reaches(manager, 'old', 'ready');
    const stops = [new AbortController(), new AbortController()] as const;
    const calls = stops.map(({ signal }, index) =>
      manager
        .connection('old')
        ?.callTool('trigger-elicitation-request', {}, { signal, conversationId: `c${index}` }),
    );
    for (const call of calls) call?.catch(() => undefined);
    await vi.waitFor(() => expect(asks.pending()).toHaveLength(2), 10_000);
    const first = asks.pending()[0];
    stops[0].abort();
    await expect(calls[0]).rejects.toMatchObject({ code: 'call.cancelled' });
    expect(asks.pending()).toContainEqual(first);
    stops[1].abort();
    await expect(calls[1]).rejects.toMatchObject({ code: 'call.cancelled' });
    expect(asks.pending()).toEqual([]);
  });
});

describe('an output schema', () => {
  const tool = (outputSchema: unknown) =>
    JSON.stringify([{ name: 'echo', inputSchema: { type: 'object' }, outputSchema }]);
  const promised = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  it.each<[string, unknown, object, boolean]>([
    ['that is kept is nothing to speak of', promised, { content: [], structuredContent: { n: 1 } }, false],
    ['that is broken is noted', promised, { content: [], structuredContent: { n: 'one' } }, true],
    ['that is forgotten is noted', promised, { content: [{ type: 'text', text: 'x' }] }, true],
    [
      'does not hold for an error',
      promised,
      { content: [{ type: 'text', text: 'no' }], isError: true },
      false,
    ],
    [
      'that is none is not used',
      { type: 'object', $ref: 'https://example.test/schema.json' },
      { content: [], structuredContent: { a: 1 } },
      false,
    ],
  ])('%s, and the result is there as it came', async (_what, outputSchema, result, isNoted) => {
    const { manager, view } = await startManager({
      raw: rawEntry({ TOOLS: tool(outputSchema), RESULT: JSON.stringify(result) }),
    });
    await reaches(manager, 'raw', 'ready');
    expect(await manager.connection('raw')?.callTool('echo', {}, { signal: never })).toEqual(result);
    expect((view('raw')?.notes ?? []).some(note => note.includes('output schema'))).toBe(isNoted);
  });
});
