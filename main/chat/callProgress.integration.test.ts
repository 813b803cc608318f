import { expect, it } from 'vitest';
import { referenceServer } from '../../e2e/support/host.ts';
import { nodeEntry } from '../../e2e/support/manager.ts';
import { text, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import { startWithEndpoint } from '../../e2e/support/turns.ts';
import { modelNameOf } from '../tools/names.ts';

it('the progress of a call is shown on it as it comes', async () => {
  const name = modelNameOf('everything', 'trigger-long-running-operation');
  const servers = { everything: nodeEntry(referenceServer('everything'), ['stdio']) };
  const { endpoint, say, events, messages } = await startWithEndpoint({ servers });
  endpoint.script.push(
    { blocks: [toolUse('t1', name, { duration: 0.6, steps: 3 })] },
    { blocks: [text('Done.')] },
  );
  await say('take your time');
  const shown = events.flatMap(({ payload }) => {
    const { block } = payload as { block?: { type: string; status?: string; progress?: object } };
    return block?.type === 'toolCall' && block.status === 'running' && block.progress ? [block.progress] : [];
  });
  expect(shown).toEqual([1, 2, 3].map(progress => expect.objectContaining({ progress, total: 3 })));
  const calls = messages().flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'toolCall'));
  expect(calls).toMatchObject([{ status: 'done', durationMs: expect.any(Number) }]);
});
