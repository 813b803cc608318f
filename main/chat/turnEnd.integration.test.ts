import { describe, expect, it } from 'vitest';
import { rawEntry } from '../../e2e/support/manager.ts';
import {
  blockEvents,
  messageEnd,
  messageStart,
  text,
  thinking,
  toolUse,
} from '../../e2e/support/messagesEndpoint.ts';
import { startWithEndpoint as start } from '../../e2e/support/turns.ts';

/** Writes down what it is asked. */
const raw = { raw: rawEntry({ LOG: '1' }) };
const asked = (log: string[]) => log.filter(line => line.includes('tools/call')).length;

describe('an answer that does not end as it should', () => {
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

  it('is kept as far as it got, marked, and gone on with by the person (BC-31)', async () => {
    const { endpoint, say, turns, conversation, idle, messages } = await start();
    endpoint.script.push(
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
    const { endpoint, say, manager } = await start({ servers: raw });
    const call = toolUse('t1', 'raw__echo', { message: 'hi' });
    endpoint.script.push(
      { events: [messageStart(), ...blockEvents(0, call), overloaded] },
      { blocks: [text('fine')] },
    );
    const last = await say('echo hi');
    expect(last).toMatchObject({
      status: 'incomplete',
      blocks: [{ type: 'toolCall', status: 'cancelled' }, { type: 'notice' }],
    });
    expect(asked(manager.log('raw'))).toBe(0);
    await say('and now?');
    expect(endpoint.requests[1]?.violation).toBeUndefined();
  });

  const write = (json: string, index = 0) => [
    {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `t${index}`, name: 'raw__echo', input: {} },
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
    const { endpoint, say, manager } = await start({ servers: raw });
    endpoint.script.push({ events: [messageStart(), ...events] }, { blocks: [text('fine')] });
    const last = await say('write a file');
    expect(last?.status).toBe('incomplete');
    expect(last?.blocks.at(-1)).toMatchObject({ type: 'notice', code });
    expect(manager.log('raw').some(line => line.includes('tools/list'))).toBe(true);
    expect(asked(manager.log('raw'))).toBe(0);
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
    endpoint.script.push(
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
    endpoint.script.push({ blocks: paused, stopReason: 'pause_turn' }, { blocks: [text('Found it.')] });
    expect(await say('search')).toMatchObject({ status: 'complete', blocks: [{ text: 'Found it.' }] });
    expect(endpoint.requests[1]?.body.messages.at(-1)).toEqual({ role: 'assistant', content: paused });
    expect(messages()).toHaveLength(3);

    for (let count = 0; count < 20; count++)
      endpoint.script.push({ blocks: paused, stopReason: 'pause_turn' });
    const last = await say('again');
    expect(last?.blocks.at(-1)).toMatchObject({ type: 'notice', code: 'turn.pauses' });
    expect(endpoint.requests).toHaveLength(2 + 11);
  });

  it('gives thinking back as it came, also after it was stored (BC-34)', async () => {
    const { endpoint, say, settings } = await start({ servers: raw });
    const blocks = [
      thinking('step é one', 'SIG1'),
      { type: 'redacted_thinking', data: 'ENC1' },
      text('Let me look.'),
      thinking('', 'SIG2'),
      toolUse('t1', 'raw__echo', { message: 'x' }),
    ];
    endpoint.script.push(
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
