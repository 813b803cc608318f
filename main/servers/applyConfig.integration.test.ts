import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { rawEntry, reaches, startManager } from '../../e2e/support/manager.ts';
import { isAlive } from '../../e2e/support/processes.ts';
import { KEPT_VALUE, type ServerConfig } from '../../shared/servers.ts';

const never = new AbortController().signal;

describe('an edit of servers.json from outside', () => {
  it('reconnects only what it changed', async () => {
    const { manager, view, events, file, dataDir } = await startManager({});
    const pid = (name: string) => readFile(join(dataDir, `${name}.pid`), 'utf8');
    const entry = (name: string, env = {}) => rawEntry({ PIDFILE: join(dataDir, `${name}.pid`), ...env });
    const write = async (servers: Record<string, unknown>) => {
      await writeFile(`${file}~`, JSON.stringify({ mcpServers: servers }));
      await rename(`${file}~`, file);
    };
    await write({ same: entry('same'), changed: entry('changed'), gone: entry('gone') });
    await vi.waitFor(() => expect(manager.views()).toHaveLength(3), 10_000);
    for (const name of ['same', 'changed', 'gone']) await reaches(manager, name, 'ready');
    const before = { same: await pid('same'), changed: await pid('changed'), since: view('same')?.since };

    const gone = Number(await pid('gone'));
    await write({ new: entry('new'), same: entry('same'), changed: entry('changed', { LOG: '1' }) });
    await reaches(manager, 'new', 'ready');
    await vi.waitFor(() => expect(view('changed')?.state).toBe('ready'), 10_000);
    await vi.waitFor(async () => expect(await pid('changed')).not.toBe(before.changed), 10_000);
    expect(manager.views().map(({ name }) => name)).toEqual(['new', 'same', 'changed']);
    expect(await pid('same')).toBe(before.same);
    expect(view('same')?.since).toBe(before.since);
    expect(events).toContainEqual({ name: 'server.removed', payload: { name: 'gone' } });
    await vi.waitFor(() => expect(isAlive(gone)).toBe(false), 10_000);
  });

  it('that breaks the file is told, hurts no running server, and is told again when it is mended', async () => {
    const { manager, view, events, file } = await startManager({ a: rawEntry() });
    await reaches(manager, 'a', 'ready');
    const good = await readFile(file, 'utf8');
    await writeFile(file, `${good.slice(0, -2)}`);
    const told = () => events.filter(event => event.name === 'serversFile.changed').at(-1)?.payload;
    await vi.waitFor(() => expect(told()).toMatchObject({ error: { code: 'config.syntax' } }), 10_000);
    expect(view('a')?.state).toBe('ready');
    await expect(manager.setEnabled('a', false)).rejects.toMatchObject({ code: 'config.broken' });
    await writeFile(file, good);
    await vi.waitFor(() => expect(told()).not.toHaveProperty('error'), 10_000);
    expect(view('a')?.state).toBe('ready');
  });
});

describe('managing servers', () => {
  const local = (env: Record<string, string> = {}): ServerConfig => ({ type: 'stdio', ...rawEntry(env) });

  it('adds, renames in place, edits without the secrets, switches and removes', async () => {
    const { manager, view, events, file } = await startManager({ first: rawEntry(), last: rawEntry() });
    const env = { TOKEN: 'very-secret' };
    await manager.add('third', local(env));
    await expect(manager.add('third', local())).rejects.toMatchObject({ code: 'config.nameTaken' });
    await reaches(manager, 'third', 'ready');

    const shown = view('first')?.config as ServerConfig;
    await manager.update('first', { ...shown, timeoutMs: 5000 }, 'renamed');
    expect(manager.views().map(({ name }) => name)).toEqual(['renamed', 'last', 'third']);
    await reaches(manager, 'renamed', 'ready');
    expect(events).toContainEqual({ name: 'server.removed', payload: { name: 'first' } });

    const third = view('third')?.config as ServerConfig;
    expect(third).toMatchObject({ env: { TOKEN: KEPT_VALUE } });
    await manager.update('third', { ...third, timeoutMs: 7000 });
    expect(JSON.parse(await readFile(file, 'utf8')).mcpServers.third).toMatchObject({ env, timeoutMs: 7000 });
    await manager.setEnabled('third', false);
    await reaches(manager, 'third', 'off');
    expect(JSON.parse(await readFile(file, 'utf8')).mcpServers.third).toMatchObject({ env, disabled: true });
    await manager.remove('third');
    expect(view('third')).toBeUndefined();
    expect(JSON.stringify(events)).not.toContain('very-secret');
  });

  it('imports every usual shape of a paste, all or nothing', async () => {
    const { manager, view } = await startManager({ taken: rawEntry() });
    const text = (name: string) => `"${name}": ${JSON.stringify(rawEntry())}`;
    expect(
      await manager.importJson(`{"mcpServers": {${text('a')}, ${text('b')},}} // from a README`),
    ).toEqual(['a', 'b']);
    expect(await manager.importJson(`{"servers": {${text('c')}}}`)).toEqual(['c']);
    expect(await manager.importJson(`{${text('d')}}`)).toEqual(['d']);
    for (const name of ['a', 'b', 'c', 'd']) await reaches(manager, name, 'ready');
    for (const bad of [
      '',
      'text',
      '[]',
      '{}',
      '{"command": "x"}',
      `{${text('e')}, ${text('taken')}}`,
      `{${text('e')}, "f": {"comand": "x"}}`,
    ])
      await expect(manager.importJson(bad)).rejects.toMatchObject({
        code: expect.stringMatching(/^config\./),
      });
    expect(view('e')).toBeUndefined();
  });

  it('says what is wrong with a bad entry instead of restarting or switching it, and lets it be replaced', async () => {
    const { manager, view } = await startManager({ bad: { comand: 'x' }, good: rawEntry() });
    await reaches(manager, 'good', 'ready');
    expect(view('bad')).toMatchObject({ state: 'failed', error: { code: 'config.entry' } });
    for (const attempt of [() => manager.restart('bad'), () => manager.setEnabled('bad', true)])
      await expect(attempt()).rejects.toMatchObject({ code: 'config.entry', hint: expect.any(String) });
    for (const attempt of [
      () => manager.restart('none'),
      () => manager.remove('none'),
      () => manager.update('none', local()),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'server.unknown' });
    await manager.update('bad', local());
    await reaches(manager, 'bad', 'ready');
    const result = await manager.connection('bad')?.callTool('echo', {}, { signal: never });
    expect(result?.content).toHaveLength(1);
  });

  it('tells where each change of a server can be seen, and the last one is what is', async () => {
    const { manager, view, events } = await startManager({ a: rawEntry() });
    await reaches(manager, 'a', 'ready');
    const shown = events.flatMap(event => (event.name === 'server.changed' ? [event.payload] : []));
    expect(shown.map(({ state }) => state)).toEqual(expect.arrayContaining(['connecting', 'ready']));
    expect(shown.at(-1)).toEqual(view('a'));
  });
});
