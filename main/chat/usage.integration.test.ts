import { expect, it } from 'vitest';
import { rawEntry } from '../../e2e/support/manager.ts';
import {
  blockEvents,
  type MessagesEndpoint,
  messageStart,
  text,
  thinking,
  toolUse,
} from '../../e2e/support/messagesEndpoint.ts';
import { partsOf } from '../../e2e/support/promptCache.ts';
import { startWithEndpoint as start } from '../../e2e/support/turns.ts';
import { cacheHitRate, promptTokens } from '../../shared/usage.ts';
import { sumUsage } from '../../shared/usageSum.ts';

const answers = (words: string) =>
  rawEntry({ RESULT: JSON.stringify({ content: [{ type: 'text', text: words }] }) });

/** Each prompt is the one before with more at its end. */
function expectGrowingPrefix(endpoint: MessagesEndpoint): void {
  const prompts = endpoint.requests.map(({ body }) => partsOf(body).map(({ bytes }) => bytes));
  for (const [at, prompt] of prompts.entries())
    expect(prompt.slice(0, prompts[at - 1]?.length ?? 0)).toEqual(prompts[at - 1] ?? []);
}

it('a long loop of tools and the turns after it read all of the prompt before from the cache', async () => {
  const { endpoint, say, messages } = await start({ servers: { s: answers('x'.repeat(2000)) } });
  const rounds = 12;
  const calls = (round: number) =>
    Array.from({ length: round === 3 ? 25 : 2 }, (_, at) => toolUse(`t${round}_${at}`, 's__echo', { at }));
  for (let round = 0; round < rounds; round++)
    endpoint.script.push({ blocks: [thinking(`step ${round}`, `SIG${round}`), ...calls(round)] });
  endpoint.script.push({ blocks: [text('Done.')] }, { blocks: [text('Again.')] }, { blocks: [text('Bye.')] });
  await say('go');
  await say('and again');
  await say('and again');

  expect(endpoint.requests.every(({ violation }) => violation === undefined)).toBe(true);
  expect(endpoint.requests).toHaveLength(rounds + 3);
  expectGrowingPrefix(endpoint);
  const usages = messages().flatMap(({ usage }) => usage ?? []);
  expect(usages).toHaveLength(rounds + 3);
  for (const [at, usage] of usages.entries()) {
    const before = usages[at - 1];
    // Everything that was sent before, but nothing of it again.
    if (before) expect(usage.cacheRead).toBe(promptTokens(before));
    expect(usage.input).toBe(0);
  }
  expect(cacheHitRate(sumUsage(messages(), {}).usage)).toBeGreaterThan(0.75);
}, 30_000);

it('an answer that breaks off keeps its count once, and so does one that is sent again', async () => {
  const { endpoint, say, conversations, conversation } = await start();
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  const prompt = { input_tokens: 7, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 };
  endpoint.script.push(
    { events: [messageStart('claude-opus-5-5', prompt), overloaded] },
    {
      events: [
        messageStart('claude-opus-5-5', prompt),
        ...blockEvents(0, text('The first step is')),
        { type: 'message_delta', delta: {}, usage: { output_tokens: 5 } },
        overloaded,
      ],
    },
  );
  const counted = { input: 7, cacheRead: 3, cacheWrite: 2, output: 5 };
  expect(await say('go')).toMatchObject({ status: 'incomplete', usage: counted });
  expect(endpoint.requests).toHaveLength(2);
  expect(conversations.usages(conversation.id)).toEqual([{ model: 'claude-opus-5-5', usage: counted }]);
});

it('an endpoint that counts nothing, or only at the end, is taken as it is', async () => {
  const { endpoint, say } = await start();
  const start_ = messageStart();
  const end = (usage: unknown) => [
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ];
  const bare = { ...start_, message: { ...(start_.message as object), usage: null } };
  endpoint.script.push(
    { events: [bare, ...blockEvents(0, text('one')), ...end(undefined)] },
    { events: [bare, ...blockEvents(0, text('two')), ...end({ input_tokens: 40, output_tokens: 'many' })] },
  );
  expect((await say('a'))?.usage).toBeUndefined();
  expect((await say('b'))?.usage).toEqual({ input: 40, cacheRead: 0, cacheWrite: 0, output: 0 });
});
