import { LLMock } from '@copilotkit/aimock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { referenceServer } from '../../e2e/support/host.ts';
import { nodeEntry } from '../../e2e/support/manager.ts';
import {
  blockEvents,
  type EndpointOptions,
  gate,
  messageEnd,
  messageStart,
  startMessagesEndpoint,
  text,
  thinking,
  toolUse,
} from '../../e2e/support/messagesEndpoint.ts';
import { startTurns, type TurnsOptions } from '../../e2e/support/turns.ts';
import { HostError } from '../../shared/errors.ts';

const everything = { everything: nodeEntry(referenceServer('everything')) };

async function start(
  options: Partial<TurnsOptions> & {
    servers?: Record<string, unknown>;
    endpointOptions?: EndpointOptions;
  } = {},
) {
  const endpoint = await startMessagesEndpoint(options.endpointOptions);
  onTestFinished(() => endpoint.close());
  const bench = await startTurns(options.servers ?? {}, {
    endpoint: { baseUrl: endpoint.url, retry: { attempts: 4, firstPauseMs: 1, longestPauseMs: 4 } },
    ...options,
  });
  onTestFinished(() => bench.close());
  return { ...bench, endpoint };
}

describe('a turn', () => {
  it('runs two calls of one answer on a real server and answers with their results', async () => {
    const { endpoint, say, messages } = await start({ servers: everything });
    endpoint.reply(
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

describe('an answer that does not end as it should', () => {
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

  it('is kept as far as it got, marked, and gone on with by the person (BC-31)', async () => {
    const { endpoint, say, turns, conversation, idle, messages } = await start();
    endpoint.reply(
      {
        events: [messageStart(), ...blockEvents(0, text('The first step is')), { type: 'news' }, overloaded],
      },
      { blocks: [text('to begin.')] },
    );
    const last = await say('how?');
    expect(last).toMatchObject({
      status: 'incomplete',
      blocks: [
        { type: 'text', text: 'The first step is' },
        {
          type: 'notice',
          level: 'error',
          code: 'model.overloaded',
          message: 'The answer was interrupted: The provider is overloaded.',
        },
      ],
    });
    await turns.resume(conversation.id);
    await idle();
    expect(messages().at(-1)).toMatchObject({ status: 'complete', blocks: [{ text: 'to begin.' }] });
    expect(endpoint.requests.map(({ violation }) => violation)).toEqual([undefined, undefined]);
    expect(endpoint.requests[1]?.body.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
  });

  it('runs no tool of an answer that broke off after a whole call (BC-31)', async () => {
    const { endpoint, say } = await start({ servers: everything });
    const call = toolUse('t1', 'everything__echo', { message: 'hi' });
    endpoint.reply(
      { events: [messageStart(), ...blockEvents(0, call), overloaded] },
      { blocks: [text('fine')] },
    );
    const last = await say('echo hi');
    expect(last).toMatchObject({
      status: 'incomplete',
      blocks: [{ type: 'toolCall', status: 'cancelled' }, { type: 'notice' }],
    });
    expect(last?.blocks[0]).not.toHaveProperty('startedAt');
    await say('and now?');
    expect(endpoint.requests[1]?.violation).toBeUndefined();
  });

  const write = (json: string, index = 0) => [
    {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `t${index}`, name: 'everything__echo', input: {} },
    },
    { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } },
    { type: 'content_block_stop', index },
  ];
  it.each([
    [
      'cut by the token limit',
      [...write('{"message":"line 1\\nli'), ...messageEnd('max_tokens')],
      'answer.cutOff',
    ],
    [
      'cut, yet said to be for tools',
      [...write('{"message":"line 1\\nli'), ...messageEnd('tool_use')],
      'answer.callCut',
    ],
    [
      'cut before the last brace',
      [...write('{"message":"line 1"'), ...messageEnd('tool_use')],
      'answer.callCut',
    ],
    [
      'whole and then cut',
      [...write('{"message":"a"}'), ...write('{"mess', 1), ...messageEnd('max_tokens')],
      'answer.cutOff',
    ],
    [
      'whole and then cut, said to be for tools',
      [...write('{"message":"a"}'), ...write('{"mess', 1), ...messageEnd('tool_use')],
      'answer.callCut',
    ],
    [
      'whole, but at the token limit',
      [...write('{"message":"a"}'), ...messageEnd('max_tokens')],
      'answer.cutOff',
    ],
    ['whole, but at an end', [...write('{"message":"a"}'), ...messageEnd('end_turn')], 'answer.callsAtEnd'],
  ])('runs no tool when a call is %s (BC-32)', async (_, events, code) => {
    const { endpoint, say } = await start({ servers: everything });
    endpoint.reply({ events: [messageStart(), ...events] }, { blocks: [text('fine')] });
    const last = await say('write a file');
    expect(last?.status).toBe('incomplete');
    expect(last?.blocks.at(-1)).toMatchObject({ type: 'notice', code });
    const calls = last?.blocks.filter(block => block.type === 'toolCall') ?? [];
    expect(calls.every(call => call.startedAt === undefined && call.result === undefined)).toBe(true);
    await say('go on');
    expect(endpoint.requests[1]?.violation).toBeUndefined();
  });

  it.each([
    ['refusal', 'incomplete', 'answer.refused'],
    ['max_tokens', 'incomplete', 'answer.cutOff'],
    ['model_context_window_exceeded', 'incomplete', 'answer.windowExceeded'],
    ['brand_new_reason', 'incomplete', 'answer.unknownReason'],
    [null, 'incomplete', 'answer.noReason'],
    ['stop_sequence', 'complete', undefined],
  ])('says so when its reason is %s (BC-33)', async (reason, status, code) => {
    const { endpoint, say } = await start();
    endpoint.reply(
      { blocks: [text('three words here')], stopReason: reason },
      { blocks: [], stopReason: reason },
      { blocks: [text('ok')] },
    );
    const spoken = await say('one');
    expect(spoken).toMatchObject({ status, ...(reason === null ? {} : { stopReason: reason }) });
    expect(spoken?.blocks.flatMap(block => (block.type === 'notice' ? [block.code] : []))).toEqual(
      code ? [code] : [],
    );
    const silent = await say('two');
    expect(silent?.blocks).toMatchObject([{ type: 'notice', code: code ?? 'answer.empty' }]);
    await say('three');
    expect(endpoint.requests.map(({ violation }) => violation)).toEqual([undefined, undefined, undefined]);
    if (reason === 'refusal') expect(JSON.stringify(endpoint.requests[2]?.body)).not.toMatch(/"one"|"two"/);
  });

  it('goes on with a paused one exactly as it was, some times (BC-33)', async () => {
    const { endpoint, say, messages } = await start();
    const paused = [
      text('Searching'),
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } },
    ];
    endpoint.reply({ blocks: paused, stopReason: 'pause_turn' }, { blocks: [text('Found it.')] });
    expect(await say('search')).toMatchObject({ status: 'complete', blocks: [{ text: 'Found it.' }] });
    expect(endpoint.requests[1]?.body.messages.at(-1)).toEqual({ role: 'assistant', content: paused });
    expect(messages()).toHaveLength(3);

    for (let count = 0; count < 20; count++) endpoint.reply({ blocks: paused, stopReason: 'pause_turn' });
    const last = await say('again');
    expect(last?.blocks.at(-1)).toMatchObject({ type: 'notice', code: 'turn.pauses' });
    expect(endpoint.requests).toHaveLength(2 + 11);
  });

  it('gives thinking back as it came, also after it was stored (BC-34)', async () => {
    const { endpoint, say, settings } = await start({ servers: everything });
    const blocks = [
      thinking('step é one', 'SIG1'),
      { type: 'redacted_thinking', data: 'ENC1' },
      text('Let me look.'),
      thinking('', 'SIG2'),
      toolUse('t1', 'everything__echo', { message: 'x' }),
    ];
    endpoint.reply(
      { blocks },
      { blocks: [text('done')] },
      { blocks: [text('other')] },
      { blocks: [text('back')] },
    );
    await say('q');
    expect(endpoint.requests[1]?.body.messages[1]?.content).toEqual(blocks);
    settings.model = 'claude-haiku-5-5';
    await say('to another');
    expect(JSON.stringify(endpoint.requests[2]?.body)).not.toMatch(/SIG1|ENC1/);
    settings.model = 'claude-opus-5-5';
    await say('and back');
    expect(endpoint.requests[3]?.body.messages[1]?.content).toEqual(blocks);
    expect(endpoint.requests.every(({ violation }) => violation === undefined)).toBe(true);
  });
});

describe('Stop', () => {
  it('in the middle of a stream ends it and keeps what there was', async () => {
    const { endpoint, turns, conversation, conversations, say } = await start();
    const never = gate();
    endpoint.reply(
      {
        events: [
          messageStart(),
          ...blockEvents(0, text('A long story begins')).slice(0, 3),
          { wait: never.passed },
        ],
      },
      { blocks: [text('ok')] },
    );
    await turns.send(conversation.id, 'tell');
    const written = () => JSON.stringify(conversations.messages(conversation.id));
    await vi.waitFor(() => expect(written()).toContain('A long story begins'), { interval: 5 });
    await turns.stop(conversation.id);
    expect(turns.states()).toEqual([]);
    expect(await endpoint.requests[0]?.answered).toBe(false);
    expect(conversations.messages(conversation.id).at(-1)).toMatchObject({
      status: 'incomplete',
      blocks: [{ text: 'A long story begins' }, { type: 'notice', code: 'turn.stopped' }],
    });
    expect(await say('fine')).toMatchObject({ status: 'complete' });
    expect(endpoint.requests[1]?.violation).toBeUndefined();
    never.open();
  });

  it('in the middle of calls and questions ends them all', async () => {
    const { endpoint, turns, conversation, conversations, asks, say } = await start({
      servers: everything,
      answer: ask => (ask.kind === 'approval' && ask.tool !== 'echo' ? { action: 'allow' } : undefined),
    });
    endpoint.reply(
      {
        blocks: [
          toolUse('t1', 'everything__trigger-long-running-operation', { duration: 60, steps: 60 }),
          toolUse('t2', 'everything__echo', { message: 'x' }),
        ],
      },
      { blocks: [text('ok')] },
    );
    await turns.send(conversation.id, 'wait');
    const statuses = () => {
      const blocks = conversations.messages(conversation.id).at(-1)?.blocks ?? [];
      return blocks.flatMap(block => (block.type === 'toolCall' ? [block.status] : []));
    };
    await vi.waitFor(() => expect(statuses()).toEqual(['running', 'waiting']), {
      interval: 5,
      timeout: 5000,
    });
    await turns.stop(conversation.id);
    expect(statuses()).toEqual(['cancelled', 'cancelled']);
    expect(asks.pending()).toEqual([]);
    await say('fine');
    expect(endpoint.requests[1]?.violation).toBeUndefined();
  });

  it('as an answer to an approval ends the turn', async () => {
    const { endpoint, say } = await start({ servers: everything, answer: () => ({ action: 'stop' }) });
    endpoint.reply({ blocks: [toolUse('t1', 'everything__echo', { message: 'x' })] });
    expect(await say('echo x')).toMatchObject({
      status: 'incomplete',
      blocks: [
        { type: 'toolCall', status: 'cancelled' },
        { type: 'notice', code: 'turn.stopped' },
      ],
    });
    expect(endpoint.requests).toHaveLength(1);
  });
});

describe('the tools of a turn', () => {
  it('tell the model when a call fails, is declined, or names no tool, and the turn goes on', async () => {
    const { endpoint, say } = await start({ servers: everything, answer: () => ({ action: 'deny' }) });
    endpoint.reply(
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
    endpoint.reply({ blocks: [text('1')] }, { blocks: [text('2')] }, { blocks: [text('3')] });
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
      endpoint.reply({ blocks: [toolUse(`t${count}`, 'nothing', {})] });
    const last = await say('loop');
    expect(last?.blocks.at(-1)).toMatchObject({ type: 'notice', code: 'turn.rounds' });
    expect(endpoint.requests).toHaveLength(100);
  });
});

describe('turns', () => {
  it('are one at a time in a conversation, and say what they do', async () => {
    const { endpoint, turns, conversation, events, idle } = await start();
    const wait = gate();
    endpoint.reply(
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
