/** How a local server is started on Windows, as far as that can be told on another system. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { tempDir, testPorts } from '../../e2e/support/host.ts';
import { prepareLaunch } from './command.ts';
import { Reaper } from './reaper.ts';
import { StdioTransport } from './stdio.ts';
import { Traffic } from './traffic.ts';
import { WireTap } from './wireTap.ts';

// Before anything is imported: libraries ask once.
const { real } = vi.hoisted(() => {
  const real = process.platform;
  process.env.TEMP ??= process.env.TMPDIR ?? '/tmp';
  Object.defineProperty(process, 'platform', { value: 'win32' });
  return { real };
});

/** A folder with a space in its name and `npx.cmd` in it, and how an entry with that PATH is started. */
async function bench(env: Record<string, string>) {
  const { path: dir, remove } = await tempDir();
  onTestFinished(remove);
  const folder = join(dir, 'Program Files');
  await mkdir(folder);
  await writeFile(join(folder, 'npx.cmd'), '@echo off');
  const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value || folder]));
  const ports = testPorts(dir, { env: { USERPROFILE: homedir(), ...own } });
  const launch = (config: { command: string; args?: string[]; env?: Record<string, string> }) =>
    prepareLaunch({ type: 'stdio', ...config }, ports);
  return { dir, folder, launch };
}

it('a command is found with its extension, in a PATH of any spelling', async () => {
  const { folder, launch } = await bench({ Path: '', PATHEXT: '.EXE:.CMD', SystemRoot: 'C:\\Windows' });
  const found = await launch({ command: 'npx' });
  expect(found.command.toLowerCase()).toBe(join(folder, 'npx.cmd').toLowerCase());
  expect(found.env).toMatchObject({ PATH: folder, SYSTEMROOT: 'C:\\Windows', PATHEXT: '.EXE:.CMD' });
  expect(Object.keys(found.env)).not.toContain('Path');
  const elsewhere = await bench({ Path: '' });
  await expect(launch({ command: 'uvx', env: { path: elsewhere.folder } })).rejects.toMatchObject({
    code: 'server.commandNotFound',
    hint: expect.stringContaining(elsewhere.folder),
  });
});

it('a .cmd file is run by cmd.exe, and its folder and arguments arrive as they were', async () => {
  if (real === 'win32') return;
  const { dir, folder, launch } = await bench({ Path: '', PATHEXT: '.EXE:.CMD' });
  // In place of cmd.exe: writes down what it is called with.
  const [shell, record] = [join(dir, 'cmd.exe'), join(dir, 'record')];
  await writeFile(shell, `#!/bin/sh\nprintf '%s\\n' "$@" > '${record}'\n`, { mode: 0o755 });
  vi.stubEnv('comspec', shell);
  onTestFinished(() => void vi.unstubAllEnvs());
  const args = ['-y', 'C:\\My Files\\', 'a & del b', '100%', '"quoted"', '^caret', ''];
  const reaper = new Reaper();
  const ignore = () => undefined;
  const transport = new StdioTransport(
    await launch({ command: 'npx', args }),
    reaper,
    { onStderr: ignore, onNoise: ignore, onUnreadable: ignore },
    new WireTap(new Traffic(text => text, { isRecording: () => false, isWanted: () => false, hear: ignore })),
  );
  const ended = new Promise<void>(resolve => {
    transport.onclose = resolve;
  });
  await transport.start();
  await ended;
  await transport.close();
  const [d, s, c, line = ''] = (await readFile(record, 'utf8')).split('\n');
  expect([d, s, c]).toEqual(['/d', '/s', '/c']);
  const [command, ...words] = asCmdReads(line);
  expect(command?.toLowerCase()).toBe(join(folder, 'npx.cmd').toLowerCase());
  expect(words).toEqual(args);
});

/** What cmd.exe makes of a line after `/s /c`, and a program of what it gets: carets, then quotes and backslashes. */
function asCmdReads(line: string): string[] {
  const inner = /^"(.*)"$/s.exec(line)?.[1] ?? '';
  // A caret makes any character plain, so that none of `&|<>%"` and no space is left that would mean something.
  expect(inner.replace(/\^./gs, '')).not.toMatch(/[&|<>()!%"]/);
  const [, command = '', rest = ''] = /^((?:\^.|[^ ^])*) (.*)$/s.exec(inner) ?? [];
  const words = [...rest.replace(/\^(.)/gs, '$1').matchAll(/"((?:\\.|[^"\\])*)"/gs)];
  return [
    command.replace(/\^(.)/gs, '$1'),
    ...words.map(([, word = '']) => word.replace(/(\\+)$/, half).replace(/(\\*)\\"/g, backslashes)),
  ];
}

function half(slashes: string): string {
  return slashes.slice(slashes.length / 2);
}

function backslashes(_match: string, before: string): string {
  return `${half(before)}"`;
}
