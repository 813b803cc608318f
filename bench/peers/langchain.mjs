// The adapters of LangChain.
import { MultiServerMCPClient } from '@langchain/mcp-adapters';

export const contender = {
  async connect(servers) {
    const client = new MultiServerMCPClient({
      mcpServers: Object.fromEntries(
        Object.entries(servers).map(([name, entry]) => [
          name,
          entry.command ? { transport: 'stdio', ...entry } : { transport: 'http', url: entry.url },
        ]),
      ),
      prefixToolNameWithServerName: true,
      additionalToolNamePrefix: '',
    });
    const tools = new Map((await client.getTools()).map(tool => [tool.name, tool]));
    return {
      tools: tools.size,
      async call(server, tool, args) {
        const result = await tools.get(`${server}__${tool}`).invoke(args);
        return typeof result === 'string' ? result : result[0].text;
      },
      close: () => client.close(),
    };
  },
};
