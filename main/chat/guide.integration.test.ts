import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveHttp } from '../../assets/sample-server/http.ts';
import { referenceServer } from '../../e2e/support/host.ts';
import { nodeEntry } from '../../e2e/support/manager.ts';
import { startTurns, type TurnsOptions } from '../../e2e/support/turns.ts';
import type { Ask } from '../../shared/asks.ts';
import type { Message } from '../../shared/chat.ts';

let sample: Awaited<ReturnType<typeof serveHttp>>;
beforeAll(async () => {
  sample = await serveHttp(0);
});
afterAll(() => sample.close());

async function start(options: TurnsOptions & { servers?: Record<string, unknown> } = {}) {
  const servers = options.servers ?? { sample: { type: 'http', url: sample.url } };
  const bench = await startTurns(servers, options);
  const callOf = () =>
    bench
      .messages()
      .flatMap(({ blocks }) => blocks.filter(block => block.type === 'toolCall'))
      .at(-1);
  return { ...bench, callOf };
}
const both = () => ({
  sample: { type: 'http', url: sample.url },
  everything: nodeEntry(referenceServer('everything')),
});
const words = (message: Message | undefined) =>
  (message?.blocks ?? []).flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n');

describe('the Guide', () => {
  it('adds 19 and 23 with the sample server, after it was allowed', async () => {
    const asked: Ask[] = [];
    const { say, callOf } = await start({
      answer: ask => {
        asked.push(ask);
        return { action: 'allow' };
      },
    });
    const last = await say('add 19 and 23');
    expect(asked).toMatchObject([{ kind: 'approval', tool: 'add', args: { a: 19, b: 23 } }]);
    expect(callOf()).toMatchObject({ server: 'sample', tool: 'add', status: 'done' });
    expect(words(last)).toBe('19 + 23 = 42');
    expect(last).toMatchObject({ status: 'complete', model: 'guide' });
  });

  it.each([
    ['echo hello', 'echo', { message: 'hello' }],
    ['what is 19 plus 23?', 'add', { a: 19, b: 23 }],
    ['describe-text The quick brown fox.', 'describe-text', { text: 'The quick brown fox.' }],
    ['what time is it in Europe/Vienna', 'time-in', { zone: 'Europe/Vienna' }],
    ['/everything get-sum {"a": 1, "b": 2}', 'get-sum', { a: 1, b: 2 }],
  ])('finds the tool for “%s” among those of two servers', async (typed, tool, input) => {
    const { say, callOf } = await start({ servers: both() });
    await say(typed);
    expect(callOf()).toMatchObject({ tool, input, status: 'done' });
  });

  it('shows text as text, and says honestly what else came', async () => {
    const { say } = await start({ servers: both() });
    expect(words(await say('/everything get-tiny-image'))).toContain('a picture');
    expect(words(await say('describe-text one two three'))).toContain('"words":3');
    expect(words(await say('/everything echo {"message": "*not* [Markdown](x)"}'))).toContain(
      '\\*not\\* \\[Markdown\\]',
    );
  });

  it('asks for what is required and was not said; the person may decline', async () => {
    const questions: Ask[] = [];
    let answer: { action: 'accept'; content: { a: number; b: number } } | { action: 'cancel' } = {
      action: 'accept',
      content: { a: 19, b: 1 },
    };
    const { say, callOf } = await start({
      answer: ask => {
        if (ask.kind === 'approval') return { action: 'allow' };
        questions.push(ask);
        return answer;
      },
    });
    expect(words(await say('add 19'))).toBe('19 + 1 = 20');
    expect(questions).toMatchObject([
      { kind: 'arguments', server: 'sample', tool: 'add', values: { a: 19 } },
    ]);
    await say('add 4, 5 and 6');
    expect(questions.at(-1)).toMatchObject({ kind: 'arguments', values: { a: 4, b: 5 } });
    answer = { action: 'cancel' };
    expect(words(await say('add 5'))).toBe('Then I did not call `add`.');
    expect(callOf()).toMatchObject({ input: { a: 19, b: 1 } });
  });

  it('says that it found nothing, what it can do and how to get a language model', async () => {
    const { say, callOf } = await start();
    const said = words(await say('Write me a poem'));
    expect(said).toContain('I found no tool that fits this.');
    expect(said).toContain('`/sample add {"a":19,"b":23}`');
    expect(said).toContain('not a language model');
    expect(said).toContain('API key');
    expect(callOf()).toBeUndefined();
  });

  it('offers the exact commands when several tools fit equally well', async () => {
    const twice = { one: { type: 'http', url: sample.url }, two: { type: 'http', url: sample.url } };
    const { say, callOf } = await start({ servers: twice });
    const said = words(await say('add 1 and 2'));
    expect(said).toContain('`/one add {"a":1,"b":2}`');
    expect(said).toContain('`/two add {"a":1,"b":2}`');
    await say('/two add {"a":1,"b":2}');
    expect(callOf()).toMatchObject({ server: 'two', status: 'done' });
  });

  it('explains a command that is wrong', async () => {
    const { say } = await start();
    expect(words(await say('/sample nothing {}'))).toContain('There is no tool for');
    expect(words(await say('/sample add {"a":'))).toContain('not a JSON object');
    expect(words(await say('/sample add {"a": 1}'))).toContain('failed');
  });

  it('says so when a call is declined, and stops when it is told to', async () => {
    let action: 'deny' | 'stop' = 'deny';
    const { say } = await start({ answer: () => ({ action }) });
    expect(words(await say('add 1 and 2'))).toContain('declined');
    action = 'stop';
    expect(await say('add 1 and 2')).toMatchObject({ status: 'incomplete' });
  });

  it('says so when there is no tool at all', async () => {
    const { say } = await start({ servers: {} });
    expect(words(await say('help'))).toContain('no server offers one');
  });

  it('always does the same with the same words', async () => {
    const { say, callOf } = await start({ servers: both() });
    const inputs = new Set<string>();
    for (let count = 0; count < 3; count++) {
      await say('echo hello');
      const { server, tool, input } = callOf() ?? {};
      inputs.add(JSON.stringify({ server, tool, input }));
    }
    expect(inputs.size).toBe(1);
  });
});
