import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ownServer, tempDir } from '../../e2e/support/host.ts';
import { nodeEntry, rawEntry, reaches, startManager } from '../../e2e/support/manager.ts';
import { sendJson, startRawHttp } from '../../e2e/support/rawHttp.ts';

const never = new AbortController().signal;

/** The requests that the server called `one` received, by its own log, in this life. */
function received(manager: { log(name: string): string[] }): string[] {
  return manager
    .log('one')
    .flatMap(line => (/"id"/.test(line) ? (/"method":"([^"]+)"/.exec(line)?.[1] ?? []) : []));
}

describe('the era of a server', () => {
  it.each([
    ['legacy', {}],
    ['modern', { ERA: 'modern' }],
  ])('is found once by a probe; the next start of a %s one skips it', async (era, env) => {
    const dataDir = await keptDir();
    const servers = { one: rawEntry({ LOG: '1', ...env }) };
    const first = await startManager(servers, { dataDir });
    await reaches(first.manager, 'one', 'ready');
    const reason = era === 'legacy' ? 'undiscovered' : 'discovered';
    expect(first.view('one')).toMatchObject({ era, eraReason: reason });
    expect(received(first.manager)[0]).toBe('server/discover');
    await first.close();

    const second = await startManager(servers, { dataDir });
    await reaches(second.manager, 'one', 'ready');
    expect(second.view('one')).toMatchObject({ era, eraReason: 'remembered' });
    const requests = received(second.manager);
    // A modern one is asked beside its lists whether it is still the same; nothing waits for that.
    expect(requests[0]).toBe(era === 'legacy' ? 'initialize' : 'tools/list');
    if (era === 'legacy') expect(requests).not.toContain('server/discover');
    const result = await second.manager.connection('one')?.callTool('echo', {}, { signal: never });
    expect(result?.content).toEqual([{ type: 'text', text: 'ok' }]);
  });

  it('of a legacy server keeps the date of its finding when it is only believed again', async () => {
    const dataDir = await keptDir();
    const servers = { one: rawEntry() };
    const first = await startManager(servers, { dataDir });
    await reaches(first.manager, 'one', 'ready');
    const long =
      'UPDATE server_eras SET found_at = 1000 + (SELECT max(found_at) FROM server_eras) - 6 * 86400000';
    first.db.prepare(long).run();
    const foundAt = () => first.db.prepare('SELECT found_at FROM server_eras').all();
    const before = foundAt();
    await first.manager.restart('one');
    await reaches(first.manager, 'one', 'ready');
    expect(foundAt()).toEqual(before);
  });

  it('of a legacy server is looked for again after a week', async () => {
    const dataDir = await keptDir();
    const servers = { one: rawEntry({ LOG: '1' }) };
    const { manager, db } = await startManager(servers, { dataDir });
    await reaches(manager, 'one', 'ready');
    db.prepare('UPDATE server_eras SET found_at = found_at - 8 * 86400000').run();
    await manager.restart('one');
    await vi.waitFor(
      () => expect(received(manager).filter(method => method === 'server/discover')).toHaveLength(2),
      10_000,
    );
    await reaches(manager, 'one', 'ready');
  });

  it.each([
    ['legacy', 'modern'],
    ['modern', 'legacy'],
  ])('is found anew when a %s server has become %s', async (before, after) => {
    const dataDir = await keptDir();
    const script = join(dataDir, 'server.mjs');
    // The same configuration, another program behind it: what an update does.
    const become = (era: string) =>
      writeFile(
        script,
        `process.env.ERA = '${era}'; process.env.LOG = '1'; await import('${pathToFileURL(ownServer('raw.mjs'))}');`,
      );
    await become(before);
    const { manager, view } = await startManager({ one: nodeEntry(script) }, { dataDir });
    await reaches(manager, 'one', 'ready');
    expect(view('one')?.era).toBe(before);
    await become(after);
    await manager.restart('one');
    await vi.waitFor(() => expect(view('one')).toMatchObject({ state: 'ready', era: after }), 20_000);
    await manager.connection('one')?.callTool('echo', {}, { signal: never });

    // And from now on it is known.
    const probes = () => received(manager).filter(method => method === 'server/discover').length;
    const known = probes();
    await manager.restart('one');
    await reaches(manager, 'one', 'connecting');
    await reaches(manager, 'one', 'ready');
    if (after === 'legacy') expect(probes()).toBe(known);
    expect(view('one')?.era).toBe(after);
  });

  it.each([
    ['legacy', 'initialize'],
    ['modern', 'server/discover'],
  ])('is not looked for when the entry says %s', async (era, firstRequest) => {
    const { manager, view } = await startManager({ one: { ...rawEntry({ LOG: '1', ERA: era }), era } });
    await reaches(manager, 'one', 'ready');
    expect(view('one')).toMatchObject({ era, eraReason: 'pinned', config: { era } });
    expect(received(manager)[0]).toBe(firstRequest);
    const result = await manager.connection('one')?.callTool('echo', {}, { signal: never });
    expect(result?.content).toEqual([{ type: 'text', text: 'ok' }]);
  });

  it.each([
    ['modern', 'legacy', 'server.era'],
    ['legacy', 'modern', 'server.refusal'],
  ])('that the entry says is %s is the only one that is tried with a %s server', async (era, ERA, code) => {
    const { manager, view } = await startManager({ one: { ...rawEntry({ LOG: '1', ERA }), era } });
    await reaches(manager, 'one', 'failed');
    expect(view('one')?.error).toMatchObject({
      code,
      hint: expect.stringContaining(`held to the ${era} era`),
    });
    expect(received(manager)).toEqual([era === 'legacy' ? 'initialize' : 'server/discover']);
  });

  it('that the entry says is modern keeps a remote server from being tried in an older way', async () => {
    const { url, received } = await startRawHttp((message, response) => {
      if (message.method !== 'server/discover') return false;
      sendJson(response, { id: null, error: { code: -32601, message: 'no such method' } }, 404);
      return true;
    });
    const { manager, view } = await startManager({ one: { url, era: 'modern' } });
    await reaches(manager, 'one', 'failed');
    expect(view('one')?.error?.code).toBe('server.era');
    expect(new Set(received.map(({ method, rpc }) => `${method} ${rpc}`))).toEqual(
      new Set(['POST server/discover']),
    );
  });

  it('that the entry says wins over what is remembered, and leaves it as it is', async () => {
    const dataDir = await keptDir();
    const entry = rawEntry({ LOG: '1' });
    const first = await startManager({ one: entry }, { dataDir });
    await reaches(first.manager, 'one', 'ready');
    await first.close();
    const pinned = await startManager({ one: { ...entry, era: 'modern' } }, { dataDir });
    await reaches(pinned.manager, 'one', 'failed');
    expect(received(pinned.manager)).toEqual(['server/discover']);
    await pinned.close();
    const again = await startManager({ one: entry }, { dataDir });
    await reaches(again.manager, 'one', 'ready');
    expect(again.view('one')?.eraReason).toBe('remembered');
  });

  it('is not forgotten because the server is away or refuses us', async () => {
    const dataDir = await keptDir();
    let status = 200;
    const { url, count } = await startRawHttp((message, response) => {
      if (status === 200 || message.id === undefined) return false;
      return Boolean(response.writeHead(status).end());
    });
    const { manager } = await startManager({ one: { url } }, { dataDir });
    await reaches(manager, 'one', 'ready');
    expect(count('server/discover')).toBe(1);
    for (const trouble of [401, 503]) {
      status = trouble;
      await manager.restart('one');
      await reaches(manager, 'one', 'failed');
    }
    status = 200;
    await manager.restart('one');
    await reaches(manager, 'one', 'ready');
    expect(count('server/discover')).toBe(1);
  });

  it('is legacy for any complete answer that is not a modern one', async () => {
    for (const error of [
      { code: -32601, message: 'no such method' },
      { code: -32000, message: 'Bad Request: not initialized' },
      { code: -32602, message: 'invalid params' },
    ]) {
      const { url } = await startRawHttp((message, response) => {
        if (message.method !== 'server/discover') return false;
        sendJson(response, { id: null, error }, 400);
        return true;
      });
      const { manager, view } = await startManager({ one: { url } });
      await reaches(manager, 'one', 'ready');
      expect(view('one')?.era).toBe('legacy');
    }
  });
});

/** A folder that outlives the manager. */
async function keptDir(): Promise<string> {
  const { path, remove } = await tempDir();
  onTestFinished(remove);
  return path;
}
