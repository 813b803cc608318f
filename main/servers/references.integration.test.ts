import { readFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { rawEntry, reaches, startManager } from '../../e2e/support/manager.ts';
import { startRawHttp } from '../../e2e/support/rawHttp.ts';
import type { AskOf } from '../../shared/asks.ts';
import { KEPT_VALUE, type ServerConfig } from '../../shared/servers.ts';

const SECRET = 'given-by-the-person';

type Started = Awaited<ReturnType<typeof startManager>>;

async function asked({ asks }: Started): Promise<AskOf<'secret'>> {
  return vi.waitFor(() => {
    const ask = asks.pending().find(one => one.kind === 'secret');
    if (!ask) throw new Error('There is no question for a secret.');
    return ask;
  });
}

async function give(started: Started, value = SECRET): Promise<AskOf<'secret'>> {
  const ask = await asked(started);
  started.asks.answer(ask.id, { action: 'give', value, acceptPlain: false });
  return ask;
}

describe('a secret that an entry refers to', () => {
  it('is asked for once, before anything is sent, and goes only where the entry puts it', async () => {
    const { url, received } = await startRawHttp();
    const headers = { 'X-One': 'key ${secret:KEY}', 'X-Two': '${secret:KEY}' };
    const started = await startManager({ keyed: { url, headers } });
    const { manager, view, file, events } = started;
    expect(await asked(started)).toMatchObject({ server: 'keyed', name: 'KEY', canEncrypt: false });
    expect(received).toEqual([]);
    await give(started);
    await reaches(manager, 'keyed', 'ready');
    expect(started.asks.pending()).toEqual([]);
    for (const request of received)
      expect(request.headers).toMatchObject({ 'x-one': `key ${SECRET}`, 'x-two': SECRET });
    expect(view('keyed')).toMatchObject({ secrets: ['KEY'], config: { headers } });

    await manager.restart('keyed');
    await reaches(manager, 'keyed', 'ready');
    expect(started.asks.pending()).toEqual([]);
    const shown = [await readFile(file, 'utf8'), JSON.stringify(events)].join();
    expect(shown).not.toContain(SECRET);
  });

  it('is shown in no log, also when it is given as an argument', async () => {
    const { command, args } = rawEntry();
    const settings = JSON.stringify({ BANNER: 'my key is ${secret:KEY}\n' });
    const started = await startManager({ told: { command, args: [...args, settings] } });
    await give(started);
    await reaches(started.manager, 'told', 'ready');
    await vi.waitFor(() => expect(started.manager.log('told')).toContain('my key is [hidden]'));
  });

  it('fails its server with what to do when it is not given, and is asked for again after a restart', async () => {
    const { url, received } = await startRawHttp();
    const started = await startManager({ keyed: { url, headers: { 'X-Key': '${secret:KEY}' } } });
    const { manager, asks, view } = started;
    asks.answer((await asked(started)).id, { action: 'cancel' });
    await reaches(manager, 'keyed', 'failed');
    expect(view('keyed')?.error).toMatchObject({
      code: 'config.secret',
      hint: expect.stringContaining('Restart'),
    });
    expect(received).toEqual([]);
    await manager.restart('keyed');
    await give(started);
    await reaches(manager, 'keyed', 'ready');
  });

  it('moves with the name of its server, goes with it, and is never taken by another one', async () => {
    const { url } = await startRawHttp();
    // Not a mere reference, so the window sees a mark in its place.
    const headers = { 'X-Key': 'a ${secret:KEY} b' };
    const started = await startManager({ first: { url, headers } });
    const { manager, ports, view } = started;
    await give(started);
    await reaches(manager, 'first', 'ready');
    const shown = view('first')?.config as ServerConfig;
    expect(shown).toMatchObject({ headers: { 'X-Key': KEPT_VALUE } });
    await manager.update('first', shown, 'second');
    await reaches(manager, 'second', 'ready');
    expect(ports.secrets.get('server.secret.first.KEY')).toBeUndefined();

    await manager.add('third', { type: 'http', url, headers: { 'X-Key': '${secret:KEY}' } });
    expect(await asked(started)).toMatchObject({ server: 'third' });
    await manager.remove('second');
    expect(ports.secrets.get('server.secret.second.KEY')).toBeUndefined();
  });
});

describe('a variable that an entry refers to', () => {
  it('is taken from the environment of the person, and is named when it is not set', async () => {
    const { url, received } = await startRawHttp();
    const env = { ...process.env, PARLEY_TEST_KEY: 'from-outside', PARLEY_TEST_EMPTY: '' };
    const { manager, view, asks } = await startManager(
      {
        set: { url, headers: { 'X-Key': '${env:PARLEY_TEST_KEY}' } },
        empty: { url, headers: { 'X-Key': '${env:PARLEY_TEST_EMPTY}' } },
      },
      { ports: { env, envIsFromShell: true } },
    );
    await reaches(manager, 'set', 'ready');
    await reaches(manager, 'empty', 'failed');
    expect(new Set(received.map(({ headers }) => headers['x-key']))).toEqual(new Set(['from-outside']));
    expect(view('empty')?.error).toMatchObject({
      code: 'config.variable',
      message: expect.stringContaining('PARLEY_TEST_EMPTY'),
    });
    expect(asks.pending()).toEqual([]);
  });
});
