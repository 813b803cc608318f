/** The tools of servers that are slow to come, or away for a while: what a model is told of them must not change. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tempDir } from '../../e2e/support/host.ts';
import { rawEntry, reaches } from '../../e2e/support/manager.ts';
import { text, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import { startWithEndpoint } from '../../e2e/support/turns.ts';
import { modelNameOf } from '../tools/names.ts';

const tools = (...names: string[]) =>
  JSON.stringify(names.map(name => ({ name, inputSchema: { type: 'object' } })));

/** A server whose start can be held, before one that is always there. */
async function world() {
  const { path: dataDir, remove } = await tempDir();
  onTestFinished(remove);
  const [INIT_HELD, PIDFILE] = [join(dataDir, 'let it start'), join(dataDir, 'pid')];
  const servers = {
    zealous: rawEntry({ TOOLS: tools('z', 'a'), INIT_HELD, PIDFILE }),
    able: rawEntry({ TOOLS: tools('echo') }),
  };
  return {
    dataDir,
    servers,
    release: () => writeFile(INIT_HELD, ''),
    hold: () => rm(INIT_HELD),
    pid: async () => Number(await readFile(PIDFILE, 'utf8')),
  };
}

const call = { blocks: [toolUse('t1', modelNameOf('zealous', 'a'), {})] };
const done = { blocks: [text('Done.')] };

it('the tools of a server that went away stay as they are, and a call says that it is not there', async () => {
  const { dataDir, servers, release, hold, pid } = await world();
  await release();
  const { manager, endpoint, say, messages } = await startWithEndpoint({ servers, dataDir });
  endpoint.script.push(done);
  await say('hello');
  await hold();
  process.kill(await pid(), 'SIGKILL');
  await reaches(manager, 'zealous', 'connecting');
  endpoint.script.push(call, done);
  await say('use it');
  await release();
  await reaches(manager, 'zealous', 'ready');
  endpoint.script.push(call, done);
  await say('and again');

  const [first, ...later] = endpoint.requests.map(({ body }) => body);
  expect(first?.tools?.map(({ name }) => name)).toEqual([
    modelNameOf('zealous', 'a'),
    modelNameOf('zealous', 'z'),
    modelNameOf('able', 'echo'),
    'read_result',
  ]);
  for (const { tools: offered, system } of later) {
    expect(JSON.stringify(offered)).toBe(JSON.stringify(first?.tools));
    expect(system).toEqual(first?.system);
  }
  const calls = messages().flatMap(({ blocks }) => blocks.filter(block => block.type === 'toolCall'));
  expect(calls).toMatchObject([
    { status: 'failed', error: { code: 'server.offline' } },
    { status: 'done', result: { content: [{ text: 'ok' }] } },
  ]);
  expect(JSON.stringify(messages())).not.toContain('available');
});

it('a turn waits for no server: one that is still starting is offered as it was last time', async () => {
  const { dataDir, servers, release, hold } = await world();
  await release();
  const before = await startWithEndpoint({ servers, dataDir });
  before.endpoint.script.push(done);
  await before.say('hello');
  await before.close();

  await hold();
  const { manager, endpoint, say, messages } = await startWithEndpoint({ servers, dataDir, unsettled: true });
  await reaches(manager, 'able', 'ready');
  endpoint.script.push(call, done);
  await say('hello again');
  expect(manager.connection('zealous')?.state).toBe('connecting');
  const offered = (from: typeof endpoint) => JSON.stringify(from.requests[0]?.body.tools);
  expect(offered(endpoint)).toBe(offered(before.endpoint));
  expect(JSON.stringify(messages())).toContain('is not connected (connecting)');
  await release();
  await reaches(manager, 'zealous', 'ready');
});

it('what another configuration of a name offered, or a server that was removed, is not offered', async () => {
  const { dataDir, servers, release, hold } = await world();
  await release();
  const before = await startWithEndpoint({ servers, dataDir });
  expect(before.registry.list()).toHaveLength(3);
  await before.close();
  await hold();
  const zealous = { ...servers.zealous, args: [...servers.zealous.args, '{}'] };
  const { manager, registry } = await startWithEndpoint({ servers: { zealous }, dataDir, unsettled: true });
  expect(registry.list()).toEqual([]);
  await manager.remove('zealous');
  await manager.add('zealous', { type: 'stdio', ...servers.zealous });
  expect(registry.list()).toEqual([]);
  await release();
  await reaches(manager, 'zealous', 'ready');
});
