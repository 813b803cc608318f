import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Contender, Entry } from './contender.ts';

/** The bare SDK: one client per server, all at once, the era found out by the SDK. */
export const contender: Contender = {
  async connect(servers) {
    const clients = new Map(
      await Promise.all(
        Object.entries(servers).map(async ([name, entry]): Promise<[string, Client]> => {
          const client = new Client(
            { name: 'bench', version: '1.0.0' },
            { versionNegotiation: { mode: 'auto' } },
          );
          await client.connect(transportFor(entry));
          return [name, client];
        }),
      ),
    );
    const lists = await Promise.all([...clients.values()].map(client => client.listTools()));
    return {
      tools: lists.reduce((sum, { tools }) => sum + tools.length, 0),
      async call(server, tool, args) {
        const result = await clients.get(server)?.callTool({ name: tool, arguments: args });
        const [content] = result?.content ?? [];
        return content?.type === 'text' ? content.text : '';
      },
      close: async () => void (await Promise.all([...clients.values()].map(client => client.close()))),
    };
  },
};

function transportFor(entry: Entry) {
  return 'command' in entry
    ? new StdioClientTransport({ command: entry.command, args: entry.args })
    : new StreamableHTTPClientTransport(new URL(entry.url));
}
