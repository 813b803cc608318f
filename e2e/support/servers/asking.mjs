// A modern server that asks of its client what is deprecated: its folders, and completions of its model. The argument
// `request` of `ask-model` is what it asks, as it stands.
import { inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** @returns {import('@modelcontextprotocol/server').CallToolResult} */
const asText = (/** @type {unknown} */ value) => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
});

serveStdio(() => {
  const server = new McpServer({ name: 'asking', version: '1.0.0' });
  server.registerTool('ask-roots', { inputSchema: z.object({}) }, (_args, { mcpReq }) => {
    const answer = mcpReq.inputResponses?.folders;
    if (answer) return asText(answer);
    return inputRequired({ inputRequests: { folders: inputRequired.listRoots() } });
  });
  server.registerTool(
    'ask-model',
    { inputSchema: z.object({ request: z.any() }) },
    ({ request }, { mcpReq }) => {
      const answer = mcpReq.inputResponses?.completion;
      if (answer) return asText(answer);
      return inputRequired({ inputRequests: { completion: inputRequired.createMessage(request) } });
    },
  );
  return server;
});
