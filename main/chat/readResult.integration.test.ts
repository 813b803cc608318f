import { expect, it } from 'vitest';
import { rawEntry } from '../../e2e/support/manager.ts';
import { text, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import { partsOf } from '../../e2e/support/promptCache.ts';
import type { ApiBlock } from '../../e2e/support/strictRequest.ts';
import { startWithEndpoint as start } from '../../e2e/support/turns.ts';
import { promptTokens } from '../../shared/usage.ts';

const lines = Array.from(
  { length: 8000 },
  (_, line) => `row ${line}: ${line % 3000 === 7 ? 'needle' : 'hay'}`,
);
const whole = lines.join('\n');
const long = (parts: unknown[]) => rawEntry({ RESULT: JSON.stringify({ content: parts }) });

/** The words that each result of the last user turn brings. */
function told(messages: { content: unknown }[] | undefined): string[] {
  const blocks = (messages?.at(-1)?.content ?? []) as ApiBlock[];
  return blocks.flatMap(({ type, content }) =>
    type === 'tool_result' ? (content as ApiBlock[]).map(part => String(part.text)).join('\n') : [],
  );
}

it('a long result is stored whole, goes to the model with its ends, and is read and searched by it without a question', async () => {
  const { endpoint, say, messages, asks } = await start({
    servers: { s: long([{ type: 'text', text: whole }]) },
  });
  const read = (id: string, input: Record<string, unknown>) =>
    toolUse(id, 'read_result', { call_id: 't1', ...input });
  endpoint.script.push(
    { blocks: [toolUse('t1', 's__echo', {})] },
    {
      blocks: [
        read('r1', { offset: 50_000, length: 500 }),
        read('r2', { search: 'NEEDLE' }),
        read('r3', { offset: 10_000_000 }),
        read('r4', {}),
        toolUse('r5', 'read_result', { call_id: 'nothing' }),
        toolUse('r6', 'read_result', {}),
      ],
    },
    { blocks: [text('Found.')] },
    { blocks: [text('Bye.')] },
  );
  expect(await say('go')).toMatchObject({ status: 'complete' });
  await say('thanks');
  expect(asks.pending()).toEqual([]);
  expect(endpoint.requests.map(({ violation }) => violation)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);

  const call = messages()[1]?.blocks[0];
  expect(call).toMatchObject({
    result: { content: [{ text: whole }] },
    cutForModel: { limit: 30_000, total: whole.length },
  });
  const [cut = ''] = told(endpoint.requests[1]?.body.messages);
  expect(cut.length).toBeLessThan(30_500);
  expect(cut.startsWith('row 0: hay')).toBe(true);
  expect(cut.endsWith(lines.at(-1) ?? '')).toBe(true);
  expect(cut).toContain(`of the ${whole.length} characters of this result are left out here`);
  expect(cut).toContain('Use read_result with call_id "t1"');

  const [passage = '', places = '', ...failures] = told(endpoint.requests[2]?.body.messages);
  expect(passage).toBe(`(characters 50000 to 50500 of ${whole.length})\n${whole.slice(50_000, 50_500)}`);
  expect(places).toContain('("NEEDLE" occurs 3 times)');
  expect(places).toContain(`at ${whole.indexOf('needle')}: `);
  expect(failures[0]).toContain('nothing from 10000000 on');
  expect(failures[1]).toMatch(/^\(characters 0 to 27000 of /);
  expect(failures[2]).toContain('no result of a call "nothing"');
  expect(failures[3]).toContain('call_id');
  // What was sent once is sent again as it was, and comes from the cache.
  const prompts = endpoint.requests.map(({ body }) => partsOf(body).map(({ bytes }) => bytes));
  for (const [at, prompt] of prompts.entries())
    expect(prompt.slice(0, prompts[at - 1]?.length ?? 0)).toEqual(prompts[at - 1] ?? []);
  const usages = messages().flatMap(({ usage }) => usage ?? []);
  expect(usages.at(-1)?.cacheRead).toBe(usages.at(-2) && promptTokens(usages[2] as never));
});

it('what is meant for the person alone cannot be read by the tool either', async () => {
  const secret = { type: 'text', text: 'for you alone', annotations: { audience: ['user'] } };
  const { endpoint, say } = await start({ servers: { s: long([secret, { type: 'text', text: whole }]) } });
  endpoint.script.push(
    { blocks: [toolUse('t1', 's__echo', {})] },
    { blocks: [toolUse('r1', 'read_result', { call_id: 't1', search: 'you alone' })] },
    { blocks: [text('Nothing.')] },
  );
  await say('go');
  expect(told(endpoint.requests[2]?.body.messages)[0]).toContain('does not occur');
});

it('the limit of a result stays as it was when another model goes on with it', async () => {
  const bench = await start({
    servers: { s: long([{ type: 'text', text: whole }]) },
    abilities: { small: { window: 30_000 }, large: { window: 1_000_000 } },
    models: ['small', 'large'],
    model: 'small',
  });
  bench.endpoint.script.push(
    { blocks: [toolUse('t1', 's__echo', {})] },
    { blocks: [text('One.')] },
    { blocks: [text('Two.')] },
  );
  await bench.say('go');
  bench.settings.model = 'large';
  await bench.say('again');
  const results = bench.endpoint.requests
    .slice(1)
    .map(({ body }) => JSON.stringify(body.messages[2]?.content));
  expect(results[0]?.length).toBeLessThan(6000);
  expect(results[1]).toContain(results[0]?.slice(20, 4000).split(',"cache')[0]);
});
