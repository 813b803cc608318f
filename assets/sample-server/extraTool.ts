/** A list of tools that changes while clients are connected. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { text } from './plain.ts';
import type { World } from './world.ts';

export function addExtraTool(server: McpServer, world: World): void {
  const surprise = server.registerTool(
    'surprise',
    {
      title: 'Surprise',
      description: 'A tool that was not there before. Returns a surprise.',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () => text('Surprise! This tool came while you were connected.'),
  );
  if (!world.surprise) surprise.disable();

  server.registerTool(
    'toggle-extra-tool',
    {
      title: 'Toggle the extra tool',
      description: 'Adds a tool called “surprise” to this server, or takes it away again.',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    () => {
      world.toggleSurprise();
      if (world.surprise) surprise.enable();
      else surprise.disable();
      return text(
        world.surprise
          ? 'The tool “surprise” was added. Parley can call it from now on.'
          : 'The tool “surprise” was taken away.',
      );
    },
  );
}
