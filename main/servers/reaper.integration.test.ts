import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { tempDir } from '../../e2e/support/host.ts';
import { rawEntry, reaches, startManager } from '../../e2e/support/manager.ts';
import { isAlive } from '../../e2e/support/processes.ts';
import { bundle } from '../../scripts/testing/bundle.mjs';
import { Reaper } from './reaper.ts';

let built: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  built = await bundle('main');
}, 120_000);
afterAll(() => built.remove());

describe('when the host is killed without a chance to clean up', () => {
  it('its servers end too, the stubborn ones with what they started (BC-21)', async () => {
    const temp = await tempDir();
    onTestFinished(temp.remove);
    const files = ['polite', 'stubborn', 'helper'].map(name => join(temp.path, name)) as [
      string,
      string,
      string,
    ];
    const [polite, stubborn, helper] = files;
    const mcpServers = {
      polite: rawEntry({ PIDFILE: polite }),
      stubborn: rawEntry({ PIDFILE: stubborn, CHILD: helper, STUBBORN: '1', SILENT: 'tools/call' }),
    };
    const config = join(temp.path, 'servers.json');
    await writeFile(config, JSON.stringify({ mcpServers }));
    const args = ['call', '--data', temp.path, '--config', config, '--approve', 'all', 'stubborn', 'echo'];
    const host = spawn(process.execPath, [join(built.dir, 'main/cli.js'), ...args], { stdio: 'ignore' });
    onTestFinished(() => end(host));
    const pids = await Promise.all(files.map(pidIn));
    expect(pids.filter(isAlive)).toEqual(pids);

    host.kill('SIGKILL');
    await once(host, 'exit');
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 10_000 });
  });
});

describe('the reaper', () => {
  it('ends the groups it watches and leaves those that it was told to forget', async () => {
    const [watched, forgotten] = [sleeper(), sleeper()];
    const reaper = new Reaper();
    for (const child of [watched, forgotten]) reaper.watch(child.pid as number);
    reaper.forget(forgotten.pid as number);
    const ended = once(watched, 'exit');
    await reaper.close();
    await ended;
    expect(watched.signalCode).toBe('SIGTERM');
    expect(isAlive(forgotten.pid as number)).toBe(true);
  });

  it('closes at once, and twice, when there is nothing to end', async () => {
    const reaper = new Reaper();
    const child = sleeper();
    reaper.watch(child.pid as number);
    reaper.forget(child.pid as number);
    await reaper.close();
    await reaper.close();
    await new Reaper().close();
    expect(isAlive(child.pid as number)).toBe(true);
  });
});

it('a server that dies takes the helpers along that it started', async () => {
  const { manager, dataDir } = await startManager({});
  const [PIDFILE, CHILD] = [join(dataDir, 'pid'), join(dataDir, 'helper')];
  await manager.add('parent', { type: 'stdio', ...rawEntry({ PIDFILE, CHILD }) });
  await reaches(manager, 'parent', 'ready');
  const helper = await pidIn(CHILD);
  expect(isAlive(helper)).toBe(true);
  process.kill(await pidIn(PIDFILE), 'SIGKILL');
  await reaches(manager, 'parent', 'failed');
  await vi.waitFor(() => expect(isAlive(helper)).toBe(false), { timeout: 10_000 });
});

/** A process in a group of its own. Ends with the test. */
function sleeper(): ChildProcess {
  const script = 'setInterval(() => {}, 1000)';
  const child = spawn(process.execPath, ['-e', script], { detached: true, stdio: 'ignore' });
  onTestFinished(() => end(child));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Waits for the file. */
async function pidIn(file: string): Promise<number> {
  await vi.waitUntil(() => existsSync(file), { timeout: 20_000, interval: 20 });
  const text = await vi.waitUntil(() => readFile(file, 'utf8'), { timeout: 5000, interval: 20 });
  return Number(text);
}
