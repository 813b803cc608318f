import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tempDir } from '../../e2e/support/host.ts';
import type { ServerConfig } from '../../shared/servers.ts';
import { ServersConfig } from './config.ts';

const X: ServerConfig = { type: 'stdio', command: 'x' };
const Y: ServerConfig = { type: 'stdio', command: 'y' };

describe('the file', () => {
  it('is not created by reading, and created readable for its owner only by the first edit', async () => {
    const { config, file } = await open(undefined);
    expect(config.error).toBeUndefined();
    expect(config.entries.size).toBe(0);
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
    await config.set('a', X);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ mcpServers: { a: { command: 'x' } } });
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('keeps the rights it has, and leaves no other file behind', async () => {
    const { config, file, dir } = await open('{"mcpServers":{}}');
    await chmod(file, 0o640);
    await config.set('a', X);
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect(await readdir(dir)).toEqual(['servers.json']);
  });

  it.each(['{"mcpServers": {"a": ', '[]', '{"mcpServers": 3}'])(
    'is never overwritten when it says %j',
    async text => {
      const { config, file } = await open(text);
      expect(config.error).toMatchObject({ message: expect.any(String), hint: expect.any(String) });
      for (const edit of [config.set('a', X), config.remove('a'), config.add(new Map([['b', X]]))])
        await expect(edit).rejects.toMatchObject({ code: 'config.broken' });
      expect(await readFile(file, 'utf8')).toBe(text);
    },
  );

  it('is not overwritten when it broke after it was read', async () => {
    const { config, file } = await open('{"mcpServers":{"a":{"command":"x"}}}');
    await writeFile(file, '{"mcpServers":{"a":{"command":"edited"');
    await expect(config.set('a', Y)).rejects.toMatchObject({ code: 'config.broken' });
    expect(await readFile(file, 'utf8')).toContain('edited');
  });

  it('takes an edit from outside along that was made a moment ago', async () => {
    const { config, file } = await open('{"mcpServers":{"a":{"command":"x"}}}');
    await writeFile(file, '{"mcpServers":{"a":{"command":"x"},"hand":{"command":"made"}}}');
    await config.set('b', Y);
    expect(Object.keys(JSON.parse(await readFile(file, 'utf8')).mcpServers)).toEqual(['a', 'hand', 'b']);
  });

  it('says in words when it cannot be written, and the entries stay', async () => {
    const { config, file } = await open(undefined);
    await mkdir(file);
    await expect(config.set('a', X)).rejects.toMatchObject({
      code: expect.stringMatching(/^config\./),
      message: expect.stringContaining(file),
    });
    expect(config.entries.size).toBe(0);
  });

  it('does many edits at once one after the other', async () => {
    const { config, file } = await open(undefined);
    const names = Array.from({ length: 20 }, (_, index) => `server ${index}`);
    await Promise.all(names.map(name => config.set(name, X)));
    expect(Object.keys(JSON.parse(await readFile(file, 'utf8')).mcpServers)).toEqual(names);
  });
});

describe('names', () => {
  it('can be changed, not to one that is taken', async () => {
    const { config } = await open('{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}}');
    await expect(config.set('a', X, { newName: 'b' })).rejects.toMatchObject({ code: 'config.nameTaken' });
    await config.set('a', Y, { newName: 'c' });
    expect([...config.entries]).toEqual([
      ['c', Y],
      ['b', Y],
    ]);
  });

  it('are all free, or nothing of a paste is added', async () => {
    const { config, file } = await open('{"mcpServers":{"b":{"command":"y"}}}');
    const both = new Map([
      ['a', X],
      ['b', X],
    ]);
    await expect(config.add(both)).rejects.toMatchObject({ code: 'config.nameTaken' });
    expect(await readFile(file, 'utf8')).toBe('{"mcpServers":{"b":{"command":"y"}}}');
  });

  it('that stand in the file twice are not edited blindly', async () => {
    const text = '{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}';
    const { config, file } = await open(text);
    expect(config.entries.get('a')).toEqual(Y);
    await expect(config.set('a', X)).rejects.toMatchObject({ code: 'config.twice' });
    expect(await readFile(file, 'utf8')).toBe(text);
  });
});

describe('an edit from outside', () => {
  it.each<[string, (file: string, text: string) => Promise<void>]>([
    ['written in place', writeFile],
    [
      'renamed into place, as editors do',
      async (file, text) => {
        await writeFile(`${file}~`, text);
        await rename(`${file}~`, file);
      },
    ],
    [
      'moved away and written anew',
      async (file, text) => {
        await rename(file, `${file}.bak`);
        await writeFile(file, text);
      },
    ],
  ])('is picked up when it was %s, again and again', async (_how, write) => {
    const { config, file, changes } = await open('{"mcpServers":{}}');
    for (const name of ['first', 'second', 'third']) {
      await write(file, `{"mcpServers":{"${name}":{"command":"x"}}}`);
      await vi.waitFor(() => expect([...config.entries.keys()]).toEqual([name]), 10_000);
    }
    await vi.waitFor(() => expect(changes()).toBeGreaterThanOrEqual(3));
  });

  it('is picked up when the file comes into being and when it goes', async () => {
    const { config, file } = await open(undefined);
    await writeFile(file, '{"mcpServers":{"a":{"command":"x"}}}');
    await vi.waitFor(() => expect(config.entries.size).toBe(1), 10_000);
    await rm(file);
    await vi.waitFor(() => expect(config.entries.size).toBe(0), 10_000);
  });

  it('that breaks the file keeps the last good entries, and one that mends it clears the error', async () => {
    const { config, file } = await open('{"mcpServers":{"a":{"command":"x"}}}');
    await writeFile(file, '{"mcpServers":{"a":');
    await vi.waitFor(() => expect(config.error?.message).toContain('line 1, column'), 10_000);
    expect(config.entries.get('a')).toEqual(X);
    await writeFile(file, '{"mcpServers":{"a":{"command":"y"}}}');
    await vi.waitFor(() => expect(config.error).toBeUndefined(), 10_000);
    expect(config.entries.get('a')).toEqual(Y);
  });

  it('is told once, and our own edits are not told at all', async () => {
    const { config, file, changes } = await open('{"mcpServers":{}}');
    await config.set('own', X);
    await config.set('own', Y);
    expect(changes()).toBe(0);
    await writeFile(file, '{"mcpServers":{"theirs":{"command":"x"}}}');
    await vi.waitFor(() => expect(changes()).toBe(1), 10_000);
    expect([...config.entries.keys()]).toEqual(['theirs']);
  });
});

/** A config on a file of that text, started; ends with the test. */
async function open(text: string | undefined) {
  const { path: dir, remove } = await tempDir();
  const file = join(dir, 'servers.json');
  if (text !== undefined) await writeFile(file, text);
  const config = new ServersConfig(file);
  let changes = 0;
  await config.start(() => {
    changes += 1;
  });
  onTestFinished(async () => {
    await config.close();
    await remove();
  });
  return { config, file, dir, changes: () => changes };
}
