import { describe, expect, it, vi } from 'vitest';
import { referenceServer } from '../../e2e/support/host.ts';
import { nodeEntry, rawEntry } from '../../e2e/support/manager.ts';
import { text, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import { startWithEndpoint } from '../../e2e/support/turns.ts';
import type { Answer, AskOf } from '../../shared/asks.ts';

const everything = { everything: nodeEntry(referenceServer('everything')) };
const echo = (id: string, message = 'x') => ({ blocks: [toolUse(id, 'everything__echo', { message })] });
const never = new AbortController().signal;

/** Answers approvals by a script; every approval that was asked is kept. */
function approvals(...answers: (Answer | ((ask: AskOf<'approval'>) => Answer | undefined))[]) {
  const asked: AskOf<'approval'>[] = [];
  return {
    asked,
    answer: (ask: { kind: string }) => {
      const approval = ask as AskOf<'approval'>;
      let at = asked.findIndex(({ id }) => id === approval.id);
      if (at === -1) at = asked.push(approval) - 1;
      const next = answers[at];
      return typeof next === 'function' ? next(approval) : next;
    },
  };
}

describe('an approval', () => {
  it('for a conversation holds there and nowhere else', async () => {
    const { asked, answer } = approvals({ action: 'allowInConversation' }, { action: 'deny' });
    const { endpoint, say, turns, conversations, grants, conversation } = await startWithEndpoint({
      servers: everything,
      answer,
    });
    endpoint.script.push(echo('t1'), echo('t2'), { blocks: [text('ok')] });
    await say('twice');
    expect(asked).toHaveLength(1);
    expect(grants.list()).toMatchObject([{ conversationId: conversation.id, allowed: [{ tool: 'echo' }] }]);

    const other = conversations.create();
    endpoint.script.push(echo('t3'), { blocks: [text('ok')] });
    await turns.send(other.id, 'and here');
    await vi.waitUntil(() => turns.states().length === 0, { timeout: 20_000, interval: 5 });
    expect(asked).toHaveLength(2);
    const [, refused] = conversations.messages(other.id);
    expect(refused?.blocks).toMatchObject([{ type: 'toolCall', status: 'denied' }]);
  });

  it('for ever is not asked again, until the server changes the tool: then it says what it was', async () => {
    const { asked, answer } = approvals({ action: 'allowAlways' }, { action: 'deny' });
    const tools = [
      { name: 'echo', description: 'Says it again.', inputSchema: { type: 'object' } },
      { name: 'turn', inputSchema: { type: 'object' } },
    ];
    const { endpoint, say, manager, registry } = await startWithEndpoint({
      servers: { raw: rawEntry({ TOOLS: JSON.stringify(tools) }) },
      answer,
    });
    const call = (id: string) => ({ blocks: [toolUse(id, 'raw__echo', {})] });
    endpoint.script.push(call('t1'), call('t2'), { blocks: [text('ok')] });
    await say('twice');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.change).toBeUndefined();

    await manager.connection('raw')?.callTool('turn', { description: 'Sends it away.' }, { signal: never });
    await vi.waitFor(
      () => expect(registry.find('raw', 'echo')?.info).toMatchObject({ rule: 'ask', changed: true }),
      {
        timeout: 10_000,
      },
    );
    endpoint.script.push(call('t3'), { blocks: [text('ok')] });
    await say('again');
    expect(asked[1]?.change).toMatchObject({
      before: { description: 'Says it again.' },
      now: { description: 'Sends it away.' },
    });
  });

  it('of a tool that is changed while the person reads is asked again, and only then given', async () => {
    const tools = [
      { name: 'echo', description: 'Says it again.', inputSchema: { type: 'object' } },
      { name: 'turn', inputSchema: { type: 'object' } },
    ];
    const { asked, answer } = approvals(() => undefined, { action: 'allowAlways' });
    const bench = await startWithEndpoint({
      servers: { raw: rawEntry({ TOOLS: JSON.stringify(tools) }) },
      answer,
    });
    const { endpoint, manager, registry, asks, turns, conversation, idle, policy } = bench;
    endpoint.script.push({ blocks: [toolUse('t1', 'raw__echo', {})] }, { blocks: [text('ok')] });
    await turns.send(conversation.id, 'go');
    await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 10_000 });
    await manager.connection('raw')?.callTool('turn', { description: 'Sends it away.' }, { signal: never });
    await vi.waitFor(() => expect(registry.find('raw', 'echo')?.info.description).toBe('Sends it away.'));
    asks.answer(asked[0]?.id ?? '', { action: 'allowAlways' });
    await idle();
    expect(asked[1]).toMatchObject({
      description: 'Sends it away.',
      change: { before: { description: 'Says it again.' } },
    });
    const now = registry.find('raw', 'echo');
    expect(now && policy.decide(now.identity)).toEqual({ rule: 'allow', by: 'tool' });
  });
});

describe('an approval that nobody answers', () => {
  async function waiting() {
    const { asked, answer } = approvals(() => undefined);
    const bench = await startWithEndpoint({ servers: everything, answer });
    bench.endpoint.script.push(echo('t1'), { blocks: [text('ok')] });
    await bench.turns.send(bench.conversation.id, 'go');
    await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 10_000 });
    return { ...bench, call: () => bench.messages()[1]?.blocks[0] };
  }

  it('goes away with its server, and the turn goes on', async () => {
    const { manager, asks, idle, call, messages } = await waiting();
    await manager.setEnabled('everything', false);
    await idle();
    expect(asks.pending()).toEqual([]);
    expect(call()).toMatchObject({ status: 'failed', error: { code: 'server.offline' } });
    const last = messages().at(-1);
    expect([last?.status, last?.blocks.at(-1)]).toEqual(['complete', { type: 'text', text: 'ok' }]);
  });

  it('goes away with Stop for its call, and the turn goes on', async () => {
    const { turns, conversation, asks, idle, call, messages } = await waiting();
    expect(turns.stopCall(conversation.id, 't1')).toBe(true);
    await idle();
    expect(asks.pending()).toEqual([]);
    expect(call()).toMatchObject({ status: 'cancelled' });
    expect(messages().at(-1)).toMatchObject({ status: 'complete', blocks: [{ type: 'text', text: 'ok' }] });
  });

  it('stops the turn when nobody can see it any more', async () => {
    const { asks, idle, call, endpoint } = await waiting();
    asks.cancelAll('windowClosed');
    await idle();
    expect(call()).toMatchObject({ status: 'cancelled' });
    expect(endpoint.requests).toHaveLength(1);
  });

  it('ends when Parley closes, and nothing has run', async () => {
    const { turns, asks, call } = await waiting();
    const closed = turns.close();
    asks.close();
    await closed;
    expect(call()).toMatchObject({ status: 'cancelled' });
  });
});

describe('changed arguments', () => {
  it('are what is sent, kept with the call, and told to the model', async () => {
    const { answer } = approvals({ action: 'allow', args: { message: 'mine' } });
    const { endpoint, say, messages } = await startWithEndpoint({ servers: everything, answer });
    endpoint.script.push(echo('t1', 'theirs'), { blocks: [text('ok')] });
    await say('go');
    expect(messages()[1]?.blocks[0]).toMatchObject({
      input: { message: 'theirs' },
      args: { message: 'mine' },
      edited: true,
      status: 'done',
      result: { content: [{ text: 'Echo: mine' }] },
    });
    const told = JSON.stringify(endpoint.requests[1]?.body);
    expect(told).toContain(
      'The person changed the arguments of this call. It ran with: {\\"message\\":\\"mine\\"}',
    );
    expect(endpoint.requests[1]?.violation).toBeUndefined();
  });

  it('that do not fit the schema leave the question open and say what is wrong', async () => {
    const { asked, answer } = approvals(() => undefined);
    const bench = await startWithEndpoint({ servers: everything, answer });
    const { endpoint, asks, turns, conversation, idle, messages } = bench;
    endpoint.script.push(echo('t1', 'theirs'), { blocks: [text('ok')] });
    await turns.send(conversation.id, 'go');
    await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 10_000 });
    const id = asked[0]?.id ?? '';
    // Nothing is adapted either: what the person sees is what is sent.
    expect(() => asks.answer(id, { action: 'allow', args: { message: 7 } })).toThrow(
      expect.objectContaining({
        code: 'ask.answer',
        message: expect.stringContaining('message must be string'),
      }),
    );
    expect(asks.pending().map(ask => ask.id)).toEqual([id]);
    asks.answer(id, { action: 'allow', args: { message: 'theirs' } });
    await idle();
    expect(messages()[1]?.blocks[0]).toMatchObject({ status: 'done' });
    expect(messages()[1]?.blocks[0]).not.toHaveProperty('edited');
  });
});
