// The client of the AI SDK, in its present major version and in the one before 2026-07-28.
const major = process.env.AI_SDK_MAJOR === '1' ? 'ai-sdk-mcp-1' : '@ai-sdk/mcp';
const { createMCPClient, experimental_createMCPClient } = await import(major);
const { Experimental_StdioMCPTransport } = await import(`${major}/mcp-stdio`);
const create = createMCPClient ?? experimental_createMCPClient;

export const contender = {
  async connect(servers) {
    const opened = await Promise.all(
      Object.entries(servers).map(async ([name, entry]) => {
        const transport = entry.command
          ? new Experimental_StdioMCPTransport(entry)
          : { type: 'http', url: entry.url };
        const client = await create({ transport });
        return [name, { client, tools: await client.tools() }];
      }),
    );
    const byName = new Map(opened);
    return {
      tools: opened.reduce((sum, [, { tools }]) => sum + Object.keys(tools).length, 0),
      async call(server, tool, args) {
        const result = await byName
          .get(server)
          .tools[tool].execute(args, { toolCallId: 'bench', messages: [] });
        return result.content[0].text;
      },
      close: async () => void (await Promise.all(opened.map(([, { client }]) => client.close()))),
    };
  },
};
