import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ownServer, referenceServer, tempDir } from '../../e2e/support/host.ts';
import { nodeEntry, reaches, startManager } from '../../e2e/support/manager.ts';

const never = new AbortController().signal;
const { env: _none, ...everything } = nodeEntry(referenceServer('everything'), ['stdio']);

async function folders() {
  const { path, remove } = await tempDir();
  onTestFinished(remove);
  const [one, two] = [join(path, 'one & more'), join(path, 'two')] as const;
  await Promise.all([one, two].map(folder => mkdir(folder)));
  return { path, one, two };
}

describe('the folders that the person picked for a server', () => {
  it('reach a legacy server as file URIs, and new ones without a restart', async () => {
    const { one, two } = await folders();
    const { manager, config, view } = await startManager({ old: { ...everything, roots: [one] } });
    await reaches(manager, 'old', 'ready');
    const told = async () =>
      JSON.stringify(await manager.connection('old')?.callTool('get-roots-list', {}, { signal: never }));
    await vi.waitFor(async () => expect(await told()).toContain(pathToFileURL(one).href), 10_000);
    const since = view('old')?.since;
    const entry = config.entries.get('old');
    if (!entry || 'code' in entry) throw new Error('no entry');
    await manager.update('old', { ...entry, roots: [two] });
    await vi.waitFor(async () => expect(await told()).toContain(pathToFileURL(two).href), 10_000);
    expect(await told()).not.toContain('one');
    expect(view('old')).toMatchObject({ since, config: { roots: [two] } });
  });

  it('reach one that had none before', async () => {
    const { one } = await folders();
    const { manager, config, view } = await startManager({ old: everything });
    await reaches(manager, 'old', 'ready');
    const since = view('old')?.since;
    const entry = config.entries.get('old');
    if (!entry || 'code' in entry) throw new Error('no entry');
    await manager.update('old', { ...entry, roots: [one] });
    await vi.waitFor(async () => {
      const result = await manager.connection('old')?.callTool('get-roots-list', {}, { signal: never });
      expect(JSON.stringify(result)).toContain(pathToFileURL(one).href);
    }, 10_000);
    expect(view('old')?.since).toBe(since);
  });

  it('are what the filesystem server then works in, in place of its arguments', async () => {
    const { one, two } = await folders();
    await writeFile(join(two, 'note.txt'), 'found');
    const { manager } = await startManager({
      files: { ...nodeEntry(referenceServer('filesystem'), [one]), roots: [two] },
    });
    await reaches(manager, 'files', 'ready');
    await vi.waitFor(async () => {
      const result = await manager
        .connection('files')
        ?.callTool('read_text_file', { path: join(two, 'note.txt') }, { signal: never });
      expect(JSON.stringify(result)).toContain('found');
    }, 10_000);
  });

  it('reach a modern server that asks for them in a call; those that are no folders are left out', async () => {
    const { path, one } = await folders();
    const file = join(path, 'file.txt');
    await writeFile(file, '');
    const roots = [one, file, join(path, 'gone'), 'not/whole'];
    const { manager, view } = await startManager({
      modern: { ...nodeEntry(ownServer('asking.mjs')), roots },
    });
    await reaches(manager, 'modern', 'ready');
    expect(view('modern')?.era).toBe('modern');
    const result = await manager.connection('modern')?.callTool('ask-roots', {}, { signal: never });
    const [text] = result?.content ?? [];
    expect(JSON.parse(String(text?.text))).toEqual({
      roots: [{ uri: pathToFileURL(one).href, name: 'one & more' }],
    });
    expect(manager.log('modern').join('\n')).toMatch(/gone was not given.*does not exist/);
  });
});
