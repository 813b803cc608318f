import { describe, expect, it } from 'vitest';
import { rawEntry } from '../../e2e/support/manager.ts';
import { text, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import { partsOf } from '../../e2e/support/promptCache.ts';
import { type startTurns, startWithEndpoint, type TurnsOptions } from '../../e2e/support/turns.ts';
import { contextReport } from './contextReport.ts';

/** About 1,000 tokens. */
const LONG = 'lorem ipsum '.repeat(330);
const SMALL = { small: { window: 4500 } };

const start = (
  options: Partial<TurnsOptions> & { servers?: Record<string, unknown>; counts?: boolean } = {},
) => startWithEndpoint({ abilities: SMALL, models: ['small'], model: 'small', compactAt: 80, ...options });

type Bench = Awaited<ReturnType<typeof start>>;

/** What each request says after its system prompt, as text. */
const sent = ({ endpoint }: Bench) => endpoint.requests.map(({ body }) => JSON.stringify(body.messages));

const summaries = ({ messages }: Pick<Awaited<ReturnType<typeof startTurns>>, 'messages'>) =>
  messages().flatMap(({ blocks }) => blocks.filter(block => block.type === 'summary'));

const reply = (words: string) => ({ blocks: [text(words)] });

describe('near the end of the window', () => {
  it('the older part is summarised, which the person sees and can take back; the messages stay', async () => {
    const bench = await start();
    const { endpoint, say, messages, turns, conversation, conversations, events } = bench;
    for (let turn = 1; turn <= 3; turn++) {
      endpoint.script.push(reply(`answer ${turn}`));
      await say(`question ${turn} ${LONG}`);
    }
    endpoint.script.push(reply('They asked things.'), reply('answer 5'));
    await say(`question 5 ${LONG}`);
    expect(summaries(bench)).toMatchObject([{ text: 'They asked things.', model: 'small' }]);
    expect(
      events.some(({ name, payload }) => name === 'turn.changed' && payload.phase === 'summarising'),
    ).toBe(true);
    expect(endpoint.requests.every(({ violation }) => violation === undefined)).toBe(true);
    const [asked = '', after = ''] = sent(bench).slice(-2);
    expect(asked).toContain('question 1');
    expect(after).toContain('They asked things.');
    expect(after).not.toContain('question 1');
    expect(after).toContain('question 5');
    expect(messages()).toHaveLength(8);
    expect(messages()[0]?.blocks).toMatchObject([{ text: expect.stringContaining('question 1') }]);

    // From then on the prompt grows at its end again.
    endpoint.script.push(reply('answer 6'));
    await say('question 6');
    const [before = [], now = []] = endpoint.requests
      .slice(-2)
      .map(({ body }) => partsOf(body).map(({ bytes }) => bytes));
    expect(now.slice(0, before.length)).toEqual(before);
    // What the summary took is counted.
    expect(conversations.usages(conversation.id)).toHaveLength(6);

    const at = messages().findIndex(({ blocks }) => blocks.some(({ type }) => type === 'summary'));
    const holder = messages()[at];
    const index = holder?.blocks.findIndex(({ type }) => type === 'summary') ?? -1;
    const block = holder?.blocks[index];
    if (holder && block?.type === 'summary')
      conversations.setBlock(holder, index, { ...block, undone: true });
    bench.settings.model = 'large';
    endpoint.script.push(reply('answer 7'));
    await say('question 7');
    expect(sent(bench).at(-1)).toContain('question 1');
    expect(turns.states()).toEqual([]);
  });

  it('an answer that is written again keeps the summary that it began with', async () => {
    const bench = await start();
    const { endpoint, say, messages, turns, conversation, conversations, idle } = bench;
    for (let turn = 1; turn <= 3; turn++) {
      endpoint.script.push(reply(`answer ${turn}`));
      await say(`question ${turn} ${LONG}`);
    }
    endpoint.script.push(reply('They asked things.'), reply('answer 4'), reply('again'), reply('once more'));
    const answer = await say(`question 4 ${LONG}`);
    const counted = conversations.usages(conversation.id).length;
    await turns.regenerate(conversation.id, answer?.id ?? '');
    await idle();
    expect(messages().at(-1)?.blocks).toMatchObject([
      { type: 'summary', text: 'They asked things.' },
      { text: 'again' },
    ]);
    await turns.regenerate(conversation.id, messages().at(-2)?.id ?? '');
    await idle();
    expect(summaries(bench)).toHaveLength(1);
    const [first, second, third] = sent(bench).slice(-3);
    expect(second).toBe(first);
    expect(third).toBe(first);
    // It was written once.
    expect(conversations.usages(conversation.id)).toHaveLength(counted + 2);
  });

  it('a loop of tools goes on with what was asked and found', async () => {
    const result = { content: [{ type: 'text', text: `found it: 4711 ${LONG}` }] };
    const bench = await start({ servers: { s: rawEntry({ RESULT: JSON.stringify(result) }) } });
    const { endpoint, say, messages } = bench;
    for (let round = 0; round < 3; round++)
      endpoint.script.push({ blocks: [toolUse(`t${round}`, 's__echo', {})] });
    endpoint.script.push(reply('Found 4711 three times.'), reply('Done.'));
    expect(await say('look for the number')).toMatchObject({ status: 'complete' });
    expect(endpoint.requests.every(({ violation }) => violation === undefined)).toBe(true);
    const last = sent(bench).at(-1) ?? '';
    expect(last).toContain('Found 4711 three times.');
    expect(last).toContain('look for the number');
    expect(last).not.toContain('"t0"');
    expect(messages()).toHaveLength(5);
  });

  it('nothing is summarised when the person does not want it, and the way on is said', async () => {
    const bench = await startWithEndpoint({ abilities: SMALL, models: ['small'], model: 'small' });
    bench.endpoint.script.push(reply('a'), reply('b'), reply('c'), reply('d'));
    for (let turn = 1; turn <= 4; turn++) await bench.say(`question ${turn} ${LONG}`);
    const last = await bench.say(`question 5 ${LONG}`);
    expect(last).toMatchObject({ status: 'incomplete', blocks: [{ code: 'model.tooLong' }] });
    expect(summaries(bench)).toEqual([]);

    // By hand it goes on from there.
    bench.endpoint.script.push(reply('All of it in short.'), reply('Here I am again.'));
    await bench.turns.summarise(bench.conversation.id, true);
    await bench.idle();
    expect(bench.messages().at(-1)).toMatchObject({
      status: 'complete',
      blocks: [{ text: 'Here I am again.' }],
    });
    expect(sent(bench).at(-1)).toContain('All of it in short.');
    expect(sent(bench).at(-1)).toContain('question 5');
  });

  it('a prompt that the endpoint calls too long, whatever it said before, is made shorter once', async () => {
    const bench = await start({ compactAt: 95 });
    const tooLong = {
      status: 400,
      type: 'invalid_request_error',
      message: 'prompt is too long: 9 tokens > 8 maximum',
    };
    bench.endpoint.script.push(reply('a'), tooLong, reply('In short.'), reply('b'));
    await bench.say('question 1');
    expect(await bench.say('question 2')).toMatchObject({
      status: 'complete',
      blocks: [{ type: 'summary', text: 'In short.' }, { text: 'b' }],
    });
    // A single message that is too long stays so.
    const alone = await start();
    alone.endpoint.script.push(tooLong);
    expect(await alone.say(LONG)).toMatchObject({
      status: 'incomplete',
      blocks: [{ code: 'model.tooLong' }],
    });
  });

  it('a summary that fails is said, and the question asked all the same', async () => {
    const bench = await start({ compactAt: 20 });
    bench.endpoint.script.push(reply('a'), { status: 400, message: 'No.' }, reply('b'));
    await bench.say(`question 1 ${LONG}`);
    expect(await bench.say('question 2')).toMatchObject({
      status: 'complete',
      blocks: [{ type: 'notice', code: 'summary.failed' }, { text: 'b' }],
    });
  });

  it('with no answer yet there is nothing to summarise', async () => {
    const bench = await start();
    await expect(bench.turns.summarise(bench.conversation.id, false)).rejects.toThrow('nothing to summarise');
  });
});

describe('how full the window is', () => {
  const report = (bench: Bench, exact: boolean) => {
    const deps = {
      ...bench,
      toolSearch: () => 'automatic' as const,
      prices: () => ({ small: { input: 1, output: 1, cacheRead: 0, cacheWrite: 1 } }),
    };
    return contextReport(deps, bench.conversation.id, { exact }, new AbortController().signal);
  };
  const servers = { s: rawEntry({ RESULT: JSON.stringify({ content: [{ type: 'text', text: LONG }] }) }) };

  it('is told from the last answer without any request, in shares', async () => {
    const bench = await start({ servers, counts: true });
    bench.endpoint.script.push({ blocks: [toolUse('t', 's__echo', {})] }, reply('answer'));
    await bench.say('question');
    const told = await report(bench, false);
    const usage = bench.messages().at(-1)?.usage;
    expect(told).toMatchObject({
      model: 'small',
      window: 4500,
      isEstimate: false,
      partsFrom: 'shares',
      used: (usage?.input ?? 0) + (usage?.cacheRead ?? 0) + (usage?.cacheWrite ?? 0) + (usage?.output ?? 0),
      lastTurn: { answers: 2, unpriced: 0 },
      conversation: { answers: 2, cost: expect.any(Number) },
    });
    expect(told.parts.map(({ kind, server }) => server ?? kind)).toEqual([
      'system',
      's',
      'tools',
      'messages',
      'results',
    ]);
    expect(told.parts.find(({ kind }) => kind === 'results')?.tokens).toBeGreaterThan(700);
    expect(Math.abs(told.parts.reduce((sum, { tokens }) => sum + tokens, 0) - told.used)).toBeLessThan(6);
    expect(bench.endpoint.counts()).toBe(0);
  });

  it('is counted by the endpoint where it counts, and not again while nothing has changed', async () => {
    const bench = await start({ servers, counts: true });
    const before = await report(bench, true);
    expect(before).toMatchObject({ partsFrom: 'endpoint', isEstimate: false, lastTurn: { answers: 0 } });
    const counts = bench.endpoint.counts();
    expect(counts).toBe(5);
    expect(await report(bench, true)).toEqual(before);
    expect(bench.endpoint.counts()).toBe(counts);
    bench.endpoint.script.push(reply('answer'));
    await bench.say('question');
    const after = await report(bench, true);
    expect(bench.endpoint.counts()).toBe(counts + 1);
    const of = (parts: typeof after.parts, kind: string) => parts.find(part => part.kind === kind)?.tokens;
    expect(of(after.parts, 'system')).toBe(of(before.parts, 'system'));
    expect(of(after.parts, 'tools')).toBe(of(before.parts, 'tools'));
  });

  it('is an estimate where nobody has counted', async () => {
    const bench = await startWithEndpoint({});
    const told = await report(bench, true);
    expect(told).toMatchObject({ isEstimate: true, partsFrom: 'shares' });
    expect(told.window).toBeUndefined();
  });
});
