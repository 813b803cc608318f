/**
 * The sample server that comes with Parley: every kind of thing a server can do, ready to try. It speaks MCP over
 * stdin and stdout, or with `--http` over Streamable HTTP on 127.0.0.1, whose address it prints on stderr.
 */
import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { serveHttp } from './http.ts';
import { createSampleServer } from './server.ts';
import { World } from './world.ts';

const usage = 'Usage: parley-sample-server [--http PORT]   (port 0: any free one)';

try {
  const port = chosenPort();
  if (port === undefined) overStdio();
  else console.error(`The sample server listens on ${(await serveHttp(port)).url}`);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n${usage}`);
  process.exitCode = 2;
}

function overStdio(): void {
  const world = new World();
  serveStdio(() => createSampleServer(world), { onerror: error => console.error(error.message) });
  // Whoever started us has gone: nothing may keep this process alive.
  process.stdin.once('close', () => void world.close());
}

function chosenPort(): number | undefined {
  const { values } = parseArgs({ options: { http: { type: 'string' } } });
  if (values.http === undefined) return undefined;
  if (!/^\d{1,5}$/.test(values.http) || Number(values.http) > 65_535)
    throw new Error(`“${values.http}” is no port.`);
  return Number(values.http);
}
