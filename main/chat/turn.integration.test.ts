import { LLMock } from '@copilotkit/aimock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { referenceServer } from '../../e2e/support/host.ts';
import { nodeEntry } from '../../e2e/support/manager.ts';
import { gate, text, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import { startWithEndpoint as start } from '../../e2e/support/turns.ts';
import { HostError } from '../../shared/errors.ts';

const everything = { everything: nodeEntry(referenceServer('everything')) };

describe('a turn', () => {
  it('runs two calls of one answer on a real server and answers with their results', async () => {
    const { endpoint, say, messages } = await start({ servers: everything });
    endpoint.script.push(
      {
        blocks: [
          text('Let me see.'),
          toolUse('t1', 'everything__echo', { message: 'hi' }),
          toolUse('t2', 'everything__get-sum', { a: 19, b: 23 }),
        ],
      },
      { blocks: [text('It is 42.')] },
    );
    const last = await say('echo hi and add 19 and 23');
    expect(endpoint.requests.map(request => request.violation)).toEqual([undefined, undefined]);
    expect(last).toMatchObject({
      status: 'complete',
      stopReason: 'end_turn',
      blocks: [{ type: 'text', text: 'It is 42.' }],
    });
    expect(messages()[1]?.blocks).toMatchObject([
      { type: 'text' },
      { type: 'toolCall', server: 'everything', tool: 'echo', status: 'done', args: { message: 'hi' } },
      { type: 'toolCall', tool: 'get-sum', status: 'done' },
    ]);
    expect(endpoint.requests[1]?.body.messages.at(-1)?.content).toMatchObject([
      { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'Echo: hi' }] },
      {
        type: 'tool_result',
        tool_use_id: 't2',
        content: [{ type: 'text', text: expect.stringContaining('42') }],
      },
    ]);
  });
});

describe('the tools of a turn', () => {
  it('tell the model when a call fails, is declined, or names no tool, and the turn goes on', async () => {
    const { endpoint, say } = await start({ servers: everything, answer: () => ({ action: 'deny' }) });
    endpoint.script.push(
      {
        blocks: [
          toolUse('t1', 'everything__echo', { message: 'x' }),
          toolUse('t2', 'everything__get-sum', { a: 'many' }),
          toolUse('t3', 'no_such_tool', {}),
        ],
      },
      { blocks: [text('I see.')] },
    );
    expect(await say('go')).toMatchObject({ status: 'complete', blocks: [{ text: 'I see.' }] });
    expect(endpoint.requests[1]?.body.messages.at(-1)?.content).toMatchObject([
      { tool_use_id: 't1', is_error: true, content: [{ text: 'The person declined this call.' }] },
      { tool_use_id: 't2', is_error: true, content: [{ text: /do not fit/ }] },
      { tool_use_id: 't3', is_error: true, content: [{ text: /no tool named “no_such_tool”/ }] },
    ]);
  });

  it('that come or go are told to the model with the next request', async () => {
    const { endpoint, say, registry } = await start({ servers: everything });
    endpoint.script.push({ blocks: [text('1')] }, { blocks: [text('2')] }, { blocks: [text('3')] });
    await say('one');
    registry.setEnabled('everything', 'echo', false);
    const second = await say('two');
    expect(second?.blocks[0]).toMatchObject({
      type: 'notice',
      code: 'tools.changed',
      message: /no longer available: everything__echo\./,
    });
    const said = endpoint.requests[1]?.body.messages.at(-1)?.content;
    expect(said).toMatchObject([{ text: 'two' }, { text: /no longer available: everything__echo\./ }]);
    expect(endpoint.requests[1]?.body.tools?.some(({ name }) => name === 'everything__echo')).toBe(false);
    expect((await say('three'))?.blocks).toHaveLength(1);
    // The bytes of the past stay the same, or the prompt cache is lost.
    const past = JSON.stringify(endpoint.requests[2]?.body.messages.slice(0, 3));
    expect(past).toContain('no longer available');
  });

  it('do not run for ever', async () => {
    const { endpoint, say } = await start();
    for (let count = 0; count < 120; count++)
      endpoint.script.push({ blocks: [toolUse(`t${count}`, 'nothing', {})] });
    const last = await say('loop');
    expect(last?.blocks.at(-1)).toMatchObject({ type: 'notice', code: 'turn.rounds' });
    expect(endpoint.requests).toHaveLength(100);
  });
});

describe('turns', () => {
  it('are one at a time in a conversation, and say what they do', async () => {
    const { endpoint, turns, conversation, events, idle } = await start();
    const wait = gate();
    endpoint.script.push(
      { status: 529, headers: { 'retry-after-ms': '5' } },
      { blocks: [{ wait: wait.passed }, text('ok')] },
    );
    await turns.send(conversation.id, 'one');
    await expect(turns.send(conversation.id, 'two')).rejects.toMatchObject({ code: 'chat.busy' });
    await endpoint.arrived(2);
    wait.open();
    await idle();
    const phases = events.flatMap(event => (event.name === 'turn.changed' ? [event.payload.phase] : []));
    expect(phases).toEqual(['thinking', 'retrying', 'streaming', 'streaming', 'idle']);
    expect(events.find(({ name }) => name === 'block.delta')?.payload).toMatchObject({
      index: 0,
      kind: 'text',
    });
    await expect(turns.resume(conversation.id)).rejects.toMatchObject({ code: 'chat.nothing' });
  });

  it('store nothing when no model can be asked', async () => {
    const { turns, conversation, messages, settings } = await start();
    Object.defineProperty(settings, 'maxTokens', {
      enumerable: true,
      get: () => {
        throw new HostError('model.noKey', 'There is no API key.');
      },
    });
    await expect(turns.send(conversation.id, 'hi')).rejects.toMatchObject({ code: 'model.noKey' });
    expect(messages()).toEqual([]);
  });

  it('work against another implementation of the endpoint, with two calls at once', async () => {
    const mock = new LLMock({ port: 0 });
    mock.on(
      { predicate: request => !JSON.stringify(request.messages).includes('Echo: hi') },
      {
        toolCalls: [
          { name: 'everything__echo', arguments: '{"message":"hi"}' },
          { name: 'everything__get-sum', arguments: '{"a":19,"b":23}' },
        ],
      },
    );
    mock.on({ predicate: () => true }, { content: 'Both done: 42.' });
    const baseUrl = await mock.start();
    onTestFinished(() => mock.stop());
    const { say, messages } = await start({ servers: everything, endpoint: { baseUrl } });
    expect(await say('do both')).toMatchObject({
      status: 'complete',
      blocks: [{ type: 'text', text: 'Both done: 42.' }],
    });
    expect(messages()[1]?.blocks).toMatchObject([
      { tool: 'echo', status: 'done' },
      { tool: 'get-sum', status: 'done' },
    ]);
  });
});
