import { expect, it } from 'vitest';
import { rawEntry } from '../../e2e/support/manager.ts';
import { text, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import type { ApiBlock } from '../../e2e/support/strictRequest.ts';
import { startWithEndpoint as start } from '../../e2e/support/turns.ts';

const answers = (result: unknown) => rawEntry({ RESULT: JSON.stringify(result) });
const fails = (error: unknown) =>
  rawEntry({ REPLIES: JSON.stringify({ 'tools/call': { jsonrpc: '2.0', id: '$id', error } }) });

/** One tool of each server is called in one answer; what the model then gets to read, and what is stored. */
async function callAll(servers: Record<string, unknown>) {
  const bench = await start({ servers });
  const names = Object.keys(servers);
  bench.endpoint.script.push(
    { blocks: names.map(name => toolUse(`t_${name}`, `${name}__echo`, {})) },
    { blocks: [text('I see.')] },
  );
  expect(await bench.say('go')).toMatchObject({ status: 'complete', blocks: [{ text: 'I see.' }] });
  expect(bench.endpoint.requests.map(({ violation }) => violation)).toEqual([undefined, undefined]);
  return {
    ...bench,
    read: bench.endpoint.requests[1]?.body.messages.at(-1)?.content,
    stored: bench.messages()[1]?.blocks,
  };
}

it('a result with nothing in it reaches the model as a note and stays stored as it came (BC-11)', async () => {
  const results = {
    none: { content: [] },
    empty: { content: [{ type: 'text', text: '' }] },
    failed: { content: [], isError: true },
    spaces: { content: [{ type: 'text', text: '   \n' }] },
  };
  const { read, stored } = await callAll({
    none: answers(results.none),
    empty: answers(results.empty),
    failed: answers(results.failed),
    spaces: answers(results.spaces),
  });
  const note = (written: string) => [{ type: 'text', text: expect.stringContaining(written) }];
  expect(read).toMatchObject([
    { tool_use_id: 't_none', content: note('no output') },
    { tool_use_id: 't_empty', content: note('no output') },
    { tool_use_id: 't_failed', content: note('failed'), is_error: true },
    { tool_use_id: 't_spaces', content: note('no output') },
  ]);
  expect(stored).toMatchObject([
    { status: 'done', result: results.none },
    { status: 'done', result: results.empty },
    { status: 'failed', result: results.failed },
    { status: 'done', result: results.spaces },
  ]);
});

it('a failed call reaches the model in words, however its server reports it, and the server stays (BC-15)', async () => {
  const limit = 'Row limit reached; archive something and retry';
  const tools = [
    {
      name: 'echo',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', properties: { rows: { type: 'array' } }, required: ['rows'] },
    },
  ];
  const noRows = {
    isError: true,
    content: [{ type: 'text', text: 'no rows' }],
    structuredContent: { why: 'x' },
  };
  const { read, stored, manager } = await callAll({
    flagged: answers({ isError: true, content: [{ type: 'text', text: limit }] }),
    refused: fails({ code: -32602, message: 'limit must be <= 100', data: { max: 100 } }),
    schema: rawEntry({ TOOLS: JSON.stringify(tools), RESULT: JSON.stringify(noRows) }),
    silent: fails({ code: -32603, message: '' }),
  });
  expect(read).toMatchObject([
    { tool_use_id: 't_flagged', is_error: true },
    { tool_use_id: 't_refused', is_error: true },
    { tool_use_id: 't_schema', is_error: true },
    { tool_use_id: 't_silent', is_error: true },
  ]);
  const said = (read as ApiBlock[]).map(({ content }) => JSON.stringify(content));
  for (const [at, words] of ['archive something', '<= 100', 'no rows', '-32603'].entries())
    expect(said[at]).toContain(words);
  expect(stored?.map(block => block.type === 'toolCall' && block.status)).toEqual(Array(4).fill('failed'));
  expect(manager.views().map(({ state }) => state)).toEqual(Array(4).fill('ready'));
});

it('a part that is meant for the person alone stays with the person; an error is told to the model in any case', async () => {
  const part = (words: string, ...audience: string[]) => ({
    type: 'text',
    text: words,
    annotations: { audience, priority: 0.5 },
  });
  const content = [
    part('for you', 'user'),
    part('for both', 'user', 'assistant'),
    part('for it', 'assistant'),
  ];
  const failed = { content: [part('why it failed', 'user')], isError: true };
  const { read, stored } = await callAll({ mixed: answers({ content }), failed: answers(failed) });
  expect(read).toMatchObject([
    {
      content: [
        { text: '(a part of the result is for the person alone)' },
        { text: 'for both' },
        { text: 'for it' },
      ],
    },
    { content: [{ text: 'why it failed' }], is_error: true },
  ]);
  expect(stored).toMatchObject([{ result: { content } }, { result: failed }]);
});
