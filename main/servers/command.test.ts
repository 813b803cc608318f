import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tempDir, testPorts } from '../../e2e/support/host.ts';
import { prepareLaunch } from './command.ts';

describe('what is started for an entry', () => {
  it('gets its own variables and harmless ones of ours, and none of our secrets', async () => {
    const { ports } = await bench({
      ANTHROPIC_API_KEY: 'sk-secret',
      NPM_TOKEN: 'secret',
      LANG: 'de_AT.UTF-8',
      Http_Proxy: 'http://p',
      LC_ALL: 'C',
    });
    const { env } = await prepareLaunch(
      { type: 'stdio', command: process.execPath, env: { TOKEN: 'mine' } },
      ports,
    );
    expect(env).toMatchObject({
      TOKEN: 'mine',
      LANG: 'de_AT.UTF-8',
      Http_Proxy: 'http://p',
      LC_ALL: 'C',
      PYTHONUTF8: '1',
    });
    expect(Object.keys(env)).not.toContain('ANTHROPIC_API_KEY');
    expect(JSON.stringify(env)).not.toContain('secret');
  });

  it('is found in the PATH of the entry before that of the shell, in the folder of a relative one, and at home', async () => {
    const { ports, dir, tool } = await bench();
    const found = async (command: string, extra: object = {}) =>
      (await prepareLaunch({ type: 'stdio', command, ...extra }, ports)).command;
    expect(await found('tool', { env: { PATH: join(dir, 'bin') } })).toBe(tool);
    expect(await found('./bin/tool', { cwd: dir })).toBe(tool);
    expect(await found(tool)).toBe(tool);
    expect(await found('node', {})).toMatch(/node/);
  });

  it('runs at home unless a folder is given, and `~` is the home', async () => {
    const { ports, dir } = await bench();
    const cwd = async (given?: string) =>
      (
        await prepareLaunch(
          { type: 'stdio', command: process.execPath, ...(given ? { cwd: given } : {}) },
          ports,
        )
      ).cwd;
    expect(await cwd()).toBe(homedir());
    expect(await cwd('~')).toBe(homedir());
    expect(await cwd(dir)).toBe(dir);
  });

  it('is the bundled program behind its word, with the arguments and variables of both', async () => {
    const { ports } = await bench();
    const bundledCommands = {
      sample: { command: '/app/node', args: ['server.js'], env: { RUN_AS: 'node' } },
    };
    const config = { type: 'stdio' as const, command: 'sample', args: ['--loud'], env: { A: '1' } };
    expect(await prepareLaunch(config, { ...ports, bundledCommands })).toMatchObject({
      command: '/app/node',
      args: ['server.js', '--loud'],
      env: { RUN_AS: 'node', A: '1' },
    });
  });

  it('says whether the command or the folder is missing, and where it was looked for', async () => {
    const { ports, dir } = await bench();
    const missing = prepareLaunch({ type: 'stdio', command: 'no-such-tool', env: { PATH: dir } }, ports);
    await expect(missing).rejects.toMatchObject({
      code: 'server.commandNotFound',
      hint: expect.stringContaining(dir),
    });
    const nowhere = prepareLaunch(
      { type: 'stdio', command: process.execPath, cwd: join(dir, 'none') },
      ports,
    );
    await expect(nowhere).rejects.toMatchObject({
      code: 'server.cwd',
      message: expect.stringContaining('none'),
    });
  });
});

/** Ports whose environment is a shell's, and a folder with a program `bin/tool`. */
async function bench(extra: Record<string, string> = {}) {
  const { path: dir, remove } = await tempDir();
  onTestFinished(remove);
  const tool = join(dir, 'bin', 'tool');
  await mkdir(join(dir, 'bin'));
  await writeFile(tool, '#!/bin/sh\n');
  await chmod(tool, 0o755);
  const env = { PATH: process.env.PATH ?? '', HOME: homedir(), ...extra };
  return { ports: testPorts(dir, { env, envIsFromShell: true }), dir, tool };
}
