import { describe, expect, it, vi } from 'vitest';
import { referenceServer } from '../../e2e/support/host.ts';
import { nodeEntry } from '../../e2e/support/manager.ts';
import { blockEvents, gate, messageStart, text, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import { startWithEndpoint as start } from '../../e2e/support/turns.ts';

const everything = { everything: nodeEntry(referenceServer('everything')) };

describe('Stop', () => {
  it('in the middle of a stream ends it and keeps what there was', async () => {
    const { endpoint, turns, conversation, conversations, say } = await start();
    const never = gate();
    endpoint.script.push(
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
    endpoint.script.push(
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
    endpoint.script.push({ blocks: [toolUse('t1', 'everything__echo', { message: 'x' })] });
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
