/**
 * The client that the official conformance suite tests: Parley's host on an ordinary data directory, and a person
 * who tries everything and agrees to everything. The suite starts it with the server's address as the last argument;
 * what it tells beside that (a registered client, arguments to type) comes in MCP_CONFORMANCE_CONTEXT.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTurn, succeeded } from '../../main/cli/runTurn.ts';
import { createHost, type Host } from '../../main/host.ts';
import { GUIDE } from '../../shared/settings.ts';
import { testPorts } from '../support/host.ts';
import { agree } from './answers.ts';
import { visit } from './browser.ts';
import { type Context, entryFor } from './entry.ts';

const SERVER = 'tested';

const url = process.argv.at(-1) ?? '';
const context: Context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const dataDir = await mkdtemp(join(tmpdir(), 'parley-conformance-'));
try {
  const servers = { mcpServers: { [SERVER]: entryFor(url, context) } };
  await writeFile(join(dataDir, 'servers.json'), JSON.stringify(servers));
  const host = await createHost(
    testPorts(dataDir, { envIsFromShell: true, model: GUIDE, openExternal: visit }),
  );
  try {
    host.events.on(event => event.name === 'ask.opened' && agree(host, event.payload));
    await connect(host);
    await callTools(host);
  } finally {
    await host.close();
  }
} catch (error) {
  fail(error);
} finally {
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

async function connect(host: Host): Promise<void> {
  await host.manager.settled();
  if (host.manager.views()[0]?.error?.code === 'auth.required') {
    await host.manager.signIn(SERVER);
    await host.manager.settled();
  }
  const { state, error, notes } = host.manager.views()[0] ?? {};
  for (const note of notes ?? []) console.error(note);
  if (state !== 'ready') throw new Error(`The server is ${state}: ${error?.message} ${error?.hint ?? ''}`);
}

/** Makes the calls that the suite wants typed, or else tries every tool. */
async function callTools(host: Host): Promise<void> {
  const tools = host.registry.list().filter(tool => tool.enabled);
  const typed = context.toolCalls?.map(call => `${call.name} ${JSON.stringify(call.arguments)}`);
  const { id } = host.conversations.create();
  for (const call of typed ?? tools.map(({ name }) => name)) {
    const messages = await runTurn(
      host,
      id,
      turns => turns.send(id, `/${SERVER} ${call}`),
      new AbortController().signal,
    );
    if (!succeeded(messages, GUIDE)) fail(`${call} did not work: ${JSON.stringify(messages)}`);
  }
}

function fail(why: unknown): void {
  console.error(why);
  process.exitCode = 1;
}
