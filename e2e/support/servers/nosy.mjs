// A legacy server that asks on purpose. `pester` asks `count` forms at once and returns how they were answered; `ask`
// asks one thing of the given kind, which `release` takes back, and writes into the file JOURNAL what became of it;
// `leave` ends the process.
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const { server: protocol, ...host } = make();
const question = (/** @type {number} */ nth) =>
  /** @type {const} */ ({
    message: `Question ${nth}?`,
    requestedSchema: { type: 'object', properties: { a: { type: 'string' } } },
  });
/** @returns {import('@modelcontextprotocol/server').CallToolResult} */
const asText = (/** @type {string} */ text) => ({ content: [{ type: 'text', text }] });
let takeBack = new AbortController();

/** What is asked, by its kind. @type {Record<string, (signal: AbortSignal) => Promise<string>>} */
const asking = {
  form: async signal => (await protocol.elicitInput(question(1), { signal })).action,
  url: async signal => {
    const page = { mode: /** @type {const} */ ('url'), message: 'Look', url: 'https://example.test/' };
    return (await protocol.elicitInput({ ...page, elicitationId: 'e1' }, { signal })).action;
  },
  sampling: async signal => {
    const messages = [
      { role: /** @type {const} */ ('user'), content: /** @type {const} */ ({ type: 'text', text: 'Hi' }) },
    ];
    return (await protocol.createMessage({ messages, maxTokens: 10 }, { signal })).model;
  },
};

host.tool('pester', { count: z.number() }, async ({ count }) => {
  const asked = Array.from({ length: count }, (_, nth) => protocol.elicitInput(question(nth)));
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
host.tool('ask', { kind: z.string() }, async ({ kind }) => {
  takeBack = new AbortController();
  const answer = await asking[kind]?.(takeBack.signal).catch(error => `refused ${error.code}`);
  const { JOURNAL } = process.env;
  if (JOURNAL) appendFileSync(JOURNAL, `${takeBack.signal.aborted ? 'taken back' : answer}\n`);
  return asText(String(answer));
});
host.tool('release', {}, async () => {
  takeBack.abort('no longer needed');
  return asText('released');
});
host.tool('leave', {}, async () => process.exit(0));

await host.connect();

function make() {
  const mcp = new McpServer({ name: 'nosy', version: '1.0.0' }, { capabilities: { tools: {} } });
  return {
    server: mcp.server,
    /** @param {string} name @param {Record<string, any>} shape @param {(args: any) => Promise<any>} work */
    tool: (name, shape, work) => mcp.registerTool(name, { inputSchema: z.object(shape) }, work),
    connect: () => mcp.connect(new StdioServerTransport()),
  };
}
