import { describe, expect, it } from 'vitest';
import { referenceServer } from '../../e2e/support/host.ts';
import { nodeEntry } from '../../e2e/support/manager.ts';
import { text, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import { startWithEndpoint as start, startTurns } from '../../e2e/support/turns.ts';

const servers = {
  everything: nodeEntry(referenceServer('everything')),
  other: nodeEntry(referenceServer('memory')),
};
const answer = { blocks: [text('Yes.')] };

describe('the settings of a conversation', () => {
  it('reach the endpoint: model, effort, instructions, thinking, temperature', async () => {
    const abilities = { thinking: 'adaptive', efforts: ['low', 'high'] } as const;
    const { endpoint, say, conversations, conversation } = await start({
      servers: {},
      abilities: { 'claude-sonnet-5-5': abilities },
    });
    endpoint.script.push(answer, answer, answer);
    const own = { model: 'claude-sonnet-5-5', effort: 'low', instructions: 'Speak like a pirate.' } as const;
    conversations.configure(conversation.id, own);
    expect(await say('one')).toMatchObject({ status: 'complete', model: 'claude-sonnet-5-5' });
    conversations.configure(conversation.id, { ...own, thinking: false });
    await say('two');
    conversations.configure(conversation.id, { ...own, temperature: 0.2 });
    await say('three');
    const [one, two, three] = endpoint.requests.map(({ body, violation }) => ({ ...body, violation }));
    const effort = { output_config: { effort: 'low' }, model: 'claude-sonnet-5-5', violation: undefined };
    expect(one).toMatchObject({ ...effort, thinking: { type: 'adaptive' } });
    expect(JSON.stringify(one?.system)).toContain('Speak like a pirate.');
    // Newer models think unless they are told not to, and take no temperature while they think.
    expect(two).toMatchObject({ ...effort, thinking: { type: 'disabled' } });
    expect(three).toMatchObject({ ...effort, thinking: { type: 'disabled' }, temperature: 0.2 });
  });

  it('do not end a conversation that the endpoint refuses them in: they are left out, and it is said', async () => {
    const { endpoint, say, conversations, conversation } = await start({
      servers: {},
      abilities: { 'claude-opus-5-5': { temperature: false } },
    });
    endpoint.script.push(answer, answer);
    conversations.configure(conversation.id, { temperature: 1, effort: 'max' });
    const last = await say('go');
    expect(last).toMatchObject({ status: 'complete' });
    expect(last?.blocks).toMatchObject([
      { type: 'notice', code: 'temperature.leftOut' },
      { type: 'notice', code: 'effort.leftOut' },
      { type: 'text', text: 'Yes.' },
    ]);
    expect(endpoint.requests).toHaveLength(3);
    expect((await say('again'))?.blocks).toEqual([{ type: 'text', text: 'Yes.' }]);
    expect(endpoint.requests).toHaveLength(4);
  });

  it('do not ask for an effort that the endpoint says it has not', async () => {
    const { endpoint, say, conversations, conversation } = await start({
      servers: {},
      abilities: { 'claude-opus-5-5': { efforts: ['low'] } },
    });
    endpoint.script.push(answer);
    conversations.configure(conversation.id, { effort: 'max' });
    await say('go');
    expect(endpoint.requests).toHaveLength(1);
    expect(endpoint.requests[0]?.body).not.toHaveProperty('output_config');
  });

  it('keep tools from the model, and calls of them from the server', async () => {
    const { endpoint, say, conversations, conversation } = await start({ servers });
    endpoint.script.push({ blocks: [toolUse('t1', 'everything__echo', { message: 'hi' })] }, answer);
    conversations.configure(conversation.id, {
      serversOff: ['other'],
      toolsOff: [{ server: 'everything', tool: 'echo' }],
    });
    await say('go');
    const names = endpoint.requests[0]?.body.tools?.map(({ name }) => name) ?? [];
    expect(names).toContain('everything__get-sum');
    expect(names).not.toContain('everything__echo');
    expect(names.filter(name => name.startsWith('other__'))).toEqual([]);
    const call = conversations.messages(conversation.id)[1]?.blocks.find(({ type }) => type === 'toolCall');
    expect(call).toMatchObject({ status: 'failed', error: { code: 'tool.offHere' } });
  });

  it('hold for the Guide too', async () => {
    const first = await startTurns({ everything: servers.everything });
    first.conversations.configure(first.conversation.id, { serversOff: ['everything'] });
    const last = await first.say('/everything echo {"message":"hi"}');
    expect(last?.blocks).toMatchObject([{ type: 'text' }]);
  });
});
