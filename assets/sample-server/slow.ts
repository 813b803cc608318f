/** A job that takes its time, says how far it is, and stops when it is no longer wanted. */
import { setTimeout as wait } from 'node:timers/promises';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { text } from './plain.ts';
import { reportProgress } from './progress.ts';

export function addSlow(server: McpServer): void {
  server.registerTool(
    'count-slowly',
    {
      title: 'Count slowly',
      description:
        'Counts to a number, one step at a time, and reports progress. It can be stopped at any time.',
      inputSchema: z.object({
        steps: z.number().int().min(1).max(1_000).default(10).describe('How far to count'),
        stepMs: z
          .number()
          .int()
          .min(0)
          .max(60_000)
          .default(500)
          .describe('How long one step takes, in milliseconds'),
      }),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ steps, stepMs }, { mcpReq }) => {
      for (let step = 1; step <= steps; step++) {
        await wait(stepMs, undefined, { signal: mcpReq.signal });
        await reportProgress(mcpReq, {
          progress: step,
          total: steps,
          message: `Counted to ${step} of ${steps}`,
        });
      }
      return text(`Counted to ${steps}.`);
    },
  );
}
