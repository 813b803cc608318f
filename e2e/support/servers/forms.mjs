// A modern server whose tool `ask` asks the person what the variable FORM says (the parameters of an elicitation, as JSON,
// as they stand), and writes each answer as a line of JSON to the file ANSWERS.
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const { FORM = '{}', ANSWERS = '' } = process.env;
const params = JSON.parse(FORM);

serveStdio(() => {
  const server = new McpServer({ name: 'forms', version: '1.0.0' });
  server.registerTool('ask', { inputSchema: z.object({}) }, (_args, { mcpReq }) => {
    const answer = mcpReq.inputResponses?.form;
    if (!answer)
      return {
        resultType: 'input_required',
        inputRequests: { form: { method: 'elicitation/create', params } },
      };
    appendFileSync(ANSWERS, `${JSON.stringify(answer)}\n`);
    return { content: [{ type: 'text', text: 'Thank you.' }] };
  });
  return server;
});
