import { describe, expect, it, vi } from 'vitest';
import { ownServer, referenceServer } from '../../e2e/support/host.ts';
import { nodeEntry, rawEntry, reaches, startManager } from '../../e2e/support/manager.ts';
import { ServerOffers } from './offers.ts';

const never = { signal: new AbortController().signal };
const WAIT = { timeout: 15_000 };

describe('the log of a server', () => {
  it('holds the messages of a modern one, at the level that its requests ask for', async () => {
    const { manager, offers } = await start(nodeEntry(ownServer('library.mjs')));
    const messages = () => manager.logEntries('one').filter(({ source }) => source === 'server');
    await offers.read('one', 'lib://chatty', never);
    await vi.waitFor(
      () =>
        expect(messages()).toMatchObject([{ level: 'warning', logger: 'printer', text: '{"low":"ink"}' }]),
      WAIT,
    );
    await manager.setLogLevel('one', 'debug');
    await offers.read('one', 'lib://chatty', never);
    await vi.waitFor(
      () => expect(messages().map(({ level }) => level)).toEqual(['warning', 'debug', 'warning']),
      WAIT,
    );
    await manager.setLogLevel('one', 'emergency');
    await offers.read('one', 'lib://chatty', never);
    expect(messages()).toHaveLength(3);
  });

  it('holds the messages of a legacy one, which is told the level at once and after a restart', async () => {
    const { manager, offers } = await start(nodeEntry(referenceServer('everything'), ['stdio']));
    const said = () =>
      manager.logEntries('one').filter(({ source, text }) => source === 'server' && /Subscribe/.test(text));
    const uri = 'demo://resource/dynamic/text/1';
    await offers.follow('one', uri, true);
    await vi.waitFor(() => expect(said()).toMatchObject([{ level: 'info' }]), WAIT);
    await manager.setLogLevel('one', 'error');
    await offers.follow('one', uri, false);
    expect(said()).toHaveLength(1);
    await manager.restart('one');
    await reaches(manager, 'one', 'ready');
    await offers.follow('one', uri, true);
    expect(manager.logLevel('one')).toBe('error');
    expect(said()).toHaveLength(1);
  });

  it('tells what is new while somebody looks, and only then', async () => {
    const { manager, events } = await start(rawEntry({ LOG: '1' }));
    const told = () => events.flatMap(event => (event.name === 'server.logged' ? event.payload.entries : []));
    await manager.connection('one')?.callTool('echo', {}, never);
    await vi.waitFor(() => expect(manager.log('one').join()).toContain('tools/call'), WAIT);
    expect(told()).toEqual([]);
    manager.followLog('one', true);
    await manager.connection('one')?.callTool('echo', { again: 1 }, never);
    await vi.waitFor(
      () =>
        expect(
          told()
            .map(({ text }) => text)
            .join(),
        ).toContain('again'),
      WAIT,
    );
    // What had been there before is in the log, not in the news.
    expect(told().filter(({ text }) => text.includes('tools/call'))).toHaveLength(1);
  });

  it('takes a flood in bounded time and space', async () => {
    const { manager, events } = await start(rawEntry({ FLOOD: '1' }));
    manager.followLog('one', true);
    await vi.waitFor(() => expect(manager.logEntries('one')).toHaveLength(1000), { timeout: 20_000 });
    const batches = events.filter(event => event.name === 'server.logged');
    for (const { payload } of batches) expect(payload.entries.length).toBeLessThanOrEqual(200);
  });
});

async function start(entry: Record<string, unknown>) {
  const bench = await startManager({ one: entry });
  await reaches(bench.manager, 'one', 'ready');
  return { ...bench, offers: new ServerOffers(bench.manager) };
}
