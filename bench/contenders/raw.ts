import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import type { Contender, Entry } from './contender.ts';

type Send = (
  method: string,
  params: object,
) => Promise<{ result: { content: { text: string }[]; tools: [] } }>;

/** What no client can beat: JSON lines through a pipe, or JSON in a POST on a kept connection. It checks nothing. */
export const contender: Contender = {
  async connect(servers) {
    const open = new Map(Object.entries(servers).map(([name, entry]) => [name, openEntry(entry)]));
    const lists = await Promise.all([...open.values()].map(({ send }) => send('tools/list', {})));
    return {
      tools: lists.reduce((sum, { result }) => sum + result.tools.length, 0),
      async call(server, tool, args) {
        const reply = await open.get(server)?.send('tools/call', { name: tool, arguments: args });
        return reply?.result.content[0]?.text ?? '';
      },
      close: async () => void (await Promise.all([...open.values()].map(({ close }) => close()))),
    };
  },
};

function openEntry(entry: Entry): { send: Send; close(): Promise<void> } {
  return 'command' in entry
    ? overPipe(spawn(entry.command, entry.args, { stdio: 'pipe' }))
    : overHttp(entry.url);
}

function overPipe(child: ChildProcess): { send: Send; close(): Promise<void> } {
  const waiting = new Map<number, (reply: never) => void>();
  let id = 0;
  if (!child.stdout) throw new Error('no pipe');
  createInterface({ input: child.stdout }).on('line', line => {
    const reply = JSON.parse(line);
    waiting.get(reply.id)?.(reply as never);
    waiting.delete(reply.id);
  });
  return {
    send: (method, params) =>
      new Promise(resolve => {
        waiting.set(++id, resolve);
        child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      }),
    async close() {
      child.stdin?.end();
      await once(child, 'exit');
    },
  };
}

function overHttp(url: string): { send: Send; close(): Promise<void> } {
  const agent = new Agent({ keepAlive: true });
  let id = 0;
  return {
    send: (method, params) =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
        const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
        request(url, { method: 'POST', agent, headers }, response => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', chunk => (text += chunk)).on('end', () => resolve(JSON.parse(text)));
        })
          .on('error', reject)
          .end(body);
      }),
    close: async () => agent.destroy(),
  };
}
