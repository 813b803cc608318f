/** A tool that asks the person to open a web page and waits until they pressed its button. */
import { inputRequired, inputResponse, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { text } from './plain.ts';
import { reportProgress } from './progress.ts';
import type { World } from './world.ts';

export function addVisit(server: McpServer, world: World): void {
  server.registerTool(
    'visit-page',
    {
      title: 'Visit a page',
      description:
        'Asks the person to open a page on this computer in their browser and to press the button on it, and waits ' +
        'until they did.',
      inputSchema: z.object({
        waitSeconds: z.number().min(0).max(600).default(120).describe('How long to wait for the button'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ waitSeconds }, { mcpReq }) => {
      const response = inputResponse(mcpReq.inputResponses, 'page');
      const page = mcpReq.requestState<string>();
      if (page === undefined || response.kind !== 'elicit') {
        const { id, url } = await world.pages.open();
        return inputRequired({
          inputRequests: {
            page: inputRequired.elicitUrl({ message: 'Please open this page and press its button.', url }),
          },
          requestState: await world.remembered.mint(id),
        });
      }
      try {
        if (response.action === 'decline') return text('The page was not opened: the person declined.');
        if (response.action === 'cancel')
          return text('The page was not opened: the person closed the question.');
        for (
          let waited = 0;
          waited < waitSeconds && world.pages.outcome(page) !== 'confirmed';
          waited += stepSeconds
        ) {
          // Progress keeps a client from giving up on a call that waits for a person.
          await reportProgress(mcpReq, {
            progress: waited,
            total: waitSeconds,
            message: 'Waiting for the button',
          });
          const seconds = Math.min(stepSeconds, waitSeconds - waited);
          await world.pages.confirmed(
            page,
            AbortSignal.any([mcpReq.signal, AbortSignal.timeout(seconds * 1_000)]),
          );
          mcpReq.signal.throwIfAborted();
        }
        return text(sayings[world.pages.outcome(page)]);
      } finally {
        world.pages.forget(page);
      }
    },
  );
}

const stepSeconds = 5;

const sayings = {
  confirmed: 'The person opened the page and pressed the button.',
  visited: 'The person opened the page but did not press the button in time.',
  untouched: 'The person agreed to open the page, but it was not opened in time.',
};
