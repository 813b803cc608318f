import { expect, it, vi } from 'vitest';
import { rawEntry } from '../../e2e/support/manager.ts';
import { text, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import { startWithEndpoint } from '../../e2e/support/turns.ts';

it('a call that is silent for too long is asked about, goes on as long as the person wants, and is then cancelled', async () => {
  const answers = ['keepWaiting', 'stop'] as const;
  let asked = 0;
  const { endpoint, manager, say, messages } = await startWithEndpoint({
    servers: { s: { ...rawEntry({ SILENT: 'tools/call', LOG: '1' }), timeoutMs: 300 } },
    answer: ask => {
      if (ask.kind === 'approval') return { action: 'allow' };
      expect(ask).toMatchObject({
        kind: 'keepWaiting',
        server: 's',
        tool: 'echo',
        callId: 't1',
        silentMs: 300,
      });
      return { action: answers[asked++] ?? 'stop' };
    },
  });
  endpoint.script.push({ blocks: [toolUse('t1', 's__echo', {})] }, { blocks: [text('It did not answer.')] });
  expect(await say('go')).toMatchObject({ status: 'complete' });
  expect(asked).toBe(2);
  const call = messages()[1]?.blocks[0];
  expect(call).toMatchObject({ status: 'failed', error: { code: 'call.timeout' } });
  expect(call?.type === 'toolCall' && call.durationMs).toBeGreaterThanOrEqual(600);
  expect(JSON.stringify(endpoint.requests[1]?.body.messages)).toContain('did not answer in time');
  await vi.waitFor(() => expect(manager.log('s').join()).toContain('notifications/cancelled'), 10_000);
});

it('Stop ends the call and the question with it', async () => {
  const { endpoint, asks, turns, conversation, messages, idle } = await startWithEndpoint({
    servers: { s: { ...rawEntry({ SILENT: 'tools/call' }), timeoutMs: 100 } },
  });
  endpoint.script.push({ blocks: [toolUse('t1', 's__echo', {})] }, { blocks: [text('As you wish.')] });
  await turns.send(conversation.id, 'go');
  await vi.waitUntil(() => asks.pending().some(({ kind }) => kind === 'keepWaiting'), 10_000);
  turns.stopCall(conversation.id, 't1');
  await idle();
  expect(asks.pending()).toEqual([]);
  expect(messages()[1]?.blocks[0]).toMatchObject({ status: 'cancelled' });
});
