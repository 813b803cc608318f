import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startEverything } from '../../e2e/support/everything.ts';
import { referenceServer, tempDir } from '../../e2e/support/host.ts';
import { nodeEntry, reaches, startManager } from '../../e2e/support/manager.ts';
import type { SamplingRequest } from './types.ts';

const never = new AbortController().signal;

describe.each(['stdio', 'streamableHttp', 'sse'] as const)(
  'what an old server asks for in a call, over %s',
  mode => {
    it('is answered: folders, a completion, a question, and both in calls at the same time', async () => {
      const { path, remove } = await tempDir();
      onTestFinished(remove);
      const entry =
        mode === 'stdio'
          ? nodeEntry(referenceServer('everything'), ['stdio'])
          : { url: await startEverything(mode) };
      const prompts: SamplingRequest[] = [];
      const { manager, asks } = await startManager(
        { old: { ...entry, roots: [path] } },
        {
          sample: async request => {
            prompts.push(request);
            return { model: 'm', content: [{ type: 'text', text: 'Forty-two' }], stopReason: 'endTurn' };
          },
        },
      );
      await reaches(manager, 'old', 'ready');
      const call = async (tool: string, args = {}, conversationId = 'c') =>
        JSON.stringify(
          await manager.connection('old')?.callTool(tool, args, { signal: never, conversationId }),
        );

      await vi.waitFor(async () => expect(await call('get-roots-list')).toContain(path), 10_000);
      expect(await call('trigger-sampling-request', { prompt: 'Why?', maxTokens: 9 })).toContain('Forty-two');
      expect(prompts).toMatchObject([{ server: 'old', conversationId: 'c', maxTokens: 9 }]);

      const asking = call('trigger-elicitation-request', {}, 'one');
      await vi.waitFor(() => expect(asks.pending()).toHaveLength(1), 10_000);
      expect(await call('trigger-sampling-request', { prompt: 'And?', maxTokens: 9 }, 'two')).toContain(
        'Forty-two',
      );
      const [question] = asks.pending();
      expect(question).toMatchObject({ kind: 'elicitation', server: 'old', conversationId: 'one' });
      asks.answer(question?.id ?? '', { action: 'decline' });
      expect(await asking).toMatch(/declin/i);
    }, 40_000);
  },
);
