import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ownServer, tempDir } from '../../e2e/support/host.ts';
import { nodeEntry, reaches, startManager } from '../../e2e/support/manager.ts';
import type { Answer } from '../../shared/asks.ts';
import type { ChatModel } from '../chat/model.ts';
import { Sampler } from '../chat/sampler.ts';

/** A language model that has one answer. */
const chatModel: ChatModel = {
  async *stream() {},
  complete: async () => ({ content: [{ type: 'text', text: 'Hello' }], stopReason: 'endTurn' }),
};

/** A legacy server that asks something of the kind while it is called, and what it was told in the end. */
async function asked(kind: string) {
  const { path, remove } = await tempDir();
  onTestFinished(remove);
  const journal = join(path, 'journal');
  const bench = await startManager(
    { nosy: nodeEntry(ownServer('nosy.mjs'), [], { JOURNAL: journal }) },
    { sample: (request, signal) => sampler.sample(request, signal) },
  );
  const { manager, asks } = bench;
  const model = { current: () => ({ chatModel, model: 'm' }), list: async () => ({ models: [] }) };
  const sampler = new Sampler({ asks, model });
  await reaches(manager, 'nosy', 'ready');
  const stop = new AbortController();
  const call = (tool: string, args = {}) =>
    manager.connection('nosy')?.callTool(tool, args, { signal: stop.signal, conversationId: 'c' });
  const ended = call('ask', { kind })?.then(
    () => 'answered',
    () => 'failed',
  );
  await vi.waitFor(() => expect(asks.pending()).toHaveLength(1), { timeout: 10_000 });
  const told = () =>
    readFile(journal, 'utf8').then(
      text => text.trim(),
      () => '',
    );
  return { ...bench, call, stop, ended, told };
}

type Bench = Awaited<ReturnType<typeof asked>>;

/** What ends it, and what the server then knows: the first word for questions to the person, the second for prompts. */
const endings: [string, (bench: Bench) => unknown, string, string][] = [
  ['Stop', ({ stop }) => stop.abort(), 'cancel', 'refused -1'],
  ['the server, which takes it back', ({ call }) => call('release'), 'taken back', 'taken back'],
  ['the end of the server', ({ call }) => void call('leave')?.catch(() => undefined), '', ''],
  ['the window, which is closed', ({ asks }) => asks.cancelAll('windowClosed'), 'cancel', 'refused -1'],
  ['Parley, which closes', ({ asks }) => asks.close(), 'cancel', 'refused -1'],
];

describe.each(['form', 'url', 'sampling'])('a question of a server (%s)', kind => {
  it.each(endings)('is ended by %s, and the server hears what is true', async (_what, end, word, refusal) => {
    const bench = await asked(kind);
    await end(bench);
    await vi.waitFor(() => expect(bench.asks.pending()).toEqual([]), { timeout: 10_000 });
    await bench.ended;
    const expected = kind === 'sampling' ? refusal : word;
    await vi.waitFor(async () => expect(await bench.told()).toBe(expected), { timeout: 10_000 });
    expect(bench.ports.opened).toEqual([]);
  });
});

it.each<[string, Answer, string]>([
  ['form', { action: 'accept', content: { a: 'x' } }, 'accept'],
  ['form', { action: 'decline' }, 'decline'],
  ['form', { action: 'cancel' }, 'cancel'],
  ['url', { action: 'decline' }, 'decline'],
  ['url', { action: 'cancel' }, 'cancel'],
  ['sampling', { action: 'deny' }, 'refused -1'],
])('a %s that is answered with %o comes to the server as that', async (kind, answer, word) => {
  const { asks, told, ended } = await asked(kind);
  asks.answer(asks.pending()[0]?.id ?? '', answer);
  expect(await ended).toBe('answered');
  expect(await told()).toBe(word);
});

it('an answer of the model that is held back is refused, and never sent', async () => {
  const { asks, told, ended } = await asked('sampling');
  const [prompt] = asks.pending();
  if (prompt?.kind !== 'sampling') throw new Error('No prompt was shown.');
  const { model, systemPrompt, messages, maxTokens } = prompt;
  asks.answer(prompt.id, { action: 'allow', model, systemPrompt, messages, maxTokens });
  await vi.waitFor(() => expect(asks.pending()[0]?.kind).toBe('samplingResult'));
  asks.cancelAll('windowClosed');
  await ended;
  expect(await told()).toBe('refused -1');
});
