// A legacy server whose tool `pester` asks `count` forms at once and returns how they were answered; `wait` asks one
// and takes it back after another call, `release`.
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const server = new McpServer({ name: 'nosy', version: '1.0.0' }, { capabilities: { tools: {} } });
const question = (/** @type {number} */ nth) =>
  /** @type {const} */ ({
    message: `Question ${nth}?`,
    requestedSchema: { type: 'object', properties: { a: { type: 'string' } } },
  });
/** @returns {import('@modelcontextprotocol/server').CallToolResult} */
const asText = (/** @type {unknown} */ value) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});
let takeBack = new AbortController();

server.registerTool('pester', { inputSchema: z.object({ count: z.number() }) }, async ({ count }) => {
  const asked = Array.from({ length: count }, (_, nth) => server.server.elicitInput(question(nth)));
  const answers = await Promise.all(
    asked.map(one =>
      one.then(
        ({ action }) => action,
        error => error.message,
      ),
    ),
  );
  return asText(answers.join(' '));
});
server.registerTool('wait', { inputSchema: z.object({}) }, async () => {
  takeBack = new AbortController();
  const answer = server.server.elicitInput(question(1), { signal: takeBack.signal });
  return asText(
    await answer.then(
      ({ action }) => action,
      () => 'taken back',
    ),
  );
});
server.registerTool('release', { inputSchema: z.object({}) }, () => {
  takeBack.abort('no longer needed');
  return asText('released');
});
server.registerTool('leave', { inputSchema: z.object({}) }, () => process.exit(0));

await server.connect(new StdioServerTransport());
