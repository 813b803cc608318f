import { describe, expect, it, onTestFinished } from 'vitest';
import { referenceServer } from '../../e2e/support/host.ts';
import { nodeEntry } from '../../e2e/support/manager.ts';
import {
  type EndpointOptions,
  startMessagesEndpoint,
  text,
  toolUse,
} from '../../e2e/support/messagesEndpoint.ts';
import { startTurns, type TurnsOptions } from '../../e2e/support/turns.ts';

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
