import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { referenceServer } from '../../e2e/support/host.ts';
import { nodeEntry, rawEntry, reaches, sampleEntry, startManager } from '../../e2e/support/manager.ts';
import { startScriptedCall } from '../../e2e/support/scriptedCall.ts';
import { bundle } from '../../scripts/testing/bundle.mjs';
import type { AskKind, AskOf } from '../../shared/asks.ts';
import type { Asks } from '../consent/asks.ts';

const never = new AbortController().signal;

/** The open question, once it is one of this kind. */
async function question<K extends AskKind>(asks: Asks, kind: K): Promise<AskOf<K>> {
  return vi.waitFor(() => {
    const [ask] = asks.pending();
    if (ask?.kind !== kind) throw new Error(`The open question is ${ask?.kind}`);
    return ask as AskOf<K>;
  }, 10_000);
}

describe('a modern server that sends the person to a page', () => {
  let built: Awaited<ReturnType<typeof bundle>>;
  beforeAll(async () => {
    built = await bundle('sampleServer');
  }, 60_000);
  afterAll(() => built.remove());

  const visitPage = async (options: Parameters<typeof startManager>[1] = {}, signal = never) => {
    const started = await startManager({ sample: sampleEntry(built) }, options);
    await reaches(started.manager, 'sample', 'ready');
    const call = started.manager
      .connection('sample')
      ?.callTool('visit-page', { waitSeconds: 0 }, { signal, conversationId: 'c' });
    call?.catch(() => undefined);
    const ask = await question(started.asks, 'urlElicitation');
    return { ...started, call, ask };
  };

  it('is asked again only when the person says that they have finished there', async () => {
    const { asks, ports, call, ask } = await visitPage();
    expect(ports.opened).toEqual([]);
    asks.answer(ask.id, { action: 'accept' });
    const waiting = await question(asks, 'urlWaiting');
    expect(waiting).toMatchObject({ server: 'sample', conversationId: 'c', url: ask.url });
    asks.answer(waiting.id, { action: 'openAgain' });
    const again = await question(asks, 'urlWaiting');
    expect(ports.opened).toEqual([ask.url, ask.url]);
    const [opened = ''] = ports.opened;
    await fetch(opened, { method: 'POST' });
    asks.answer(again.id, { action: 'finished' });
    expect(JSON.stringify(await call)).toContain('pressed the button');
  });

  it.each([
    ['decline', 'the person declined'],
    ['cancel', 'closed the question'],
  ] as const)('hears of a %s, and nothing is opened', async (action, words) => {
    const { asks, ports, call, ask } = await visitPage();
    asks.answer(ask.id, { action });
    expect(JSON.stringify(await call)).toContain(words);
    expect(ports.opened).toEqual([]);
  });

  it('hears that the person gave up while the page was open', async () => {
    const { asks, call, ask } = await visitPage();
    asks.answer(ask.id, { action: 'accept' });
    asks.answer((await question(asks, 'urlWaiting')).id, { action: 'cancel' });
    expect(JSON.stringify(await call)).toContain('closed the question');
  });

  it('has the waiting taken back by Stop', async () => {
    const stop = new AbortController();
    const { asks, call, ask } = await visitPage({}, stop.signal);
    asks.answer(ask.id, { action: 'accept' });
    await question(asks, 'urlWaiting');
    stop.abort();
    await expect(call).rejects.toMatchObject({ code: 'call.cancelled' });
    expect(asks.pending()).toEqual([]);
  });

  it('has the waiting taken back when it is switched off', async () => {
    const { manager, asks, call, ask } = await visitPage();
    asks.answer(ask.id, { action: 'accept' });
    await question(asks, 'urlWaiting');
    await manager.setEnabled('sample', false);
    await expect(call).rejects.toMatchObject({ code: 'server.gone' });
    expect(asks.pending()).toEqual([]);
  });

  it('waits on when no browser could be opened: the person may go there by themselves', async () => {
    const openExternal = () => Promise.reject(new Error('no browser'));
    const { asks, call, ask } = await visitPage({ ports: { openExternal } });
    asks.answer(ask.id, { action: 'accept' });
    const waiting = await question(asks, 'urlWaiting');
    expect(waiting.failed).toBe(true);
    asks.answer(waiting.id, { action: 'finished' });
    expect(JSON.stringify(await call)).toContain('not opened in time');
  });

  it('that asks for the same page again is told so to the person', async () => {
    const page = {
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Go', url: 'https://a.test/' },
    };
    const { manager, asks } = await startManager({
      raw: rawEntry({
        ERA: 'modern',
        RESULT: JSON.stringify({ resultType: 'input_required', inputRequests: { page } }),
      }),
    });
    await reaches(manager, 'raw', 'ready');
    const call = manager.connection('raw')?.callTool('echo', {}, { signal: never });
    call?.catch(() => undefined);
    const first = await question(asks, 'urlElicitation');
    expect(first.again).toBeUndefined();
    asks.answer(first.id, { action: 'accept' });
    asks.answer((await question(asks, 'urlWaiting')).id, { action: 'finished' });
    expect((await question(asks, 'urlElicitation')).again).toBe(true);
  });
});

describe('a legacy server that refuses a call until a page was visited (-32042)', () => {
  const refuse = async (signal = never) => {
    const started = await startManager({ old: nodeEntry(referenceServer('everything'), ['stdio']) });
    await reaches(started.manager, 'old', 'ready');
    const args = { url: 'https://example.test/', errorPath: true };
    const call = started.manager
      .connection('old')
      ?.callTool('trigger-url-elicitation', args, { signal, conversationId: 'c' });
    call?.catch(() => undefined);
    return { ...started, call };
  };

  it('has its page offered, and is asked again when the person has finished there', async () => {
    const { asks, ports, call } = await refuse();
    const first = await question(asks, 'urlElicitation');
    expect(first).toMatchObject({ server: 'old', conversationId: 'c' });
    asks.answer(first.id, { action: 'accept' });
    const waiting = await question(asks, 'urlWaiting');
    expect(ports.opened).toEqual(['https://modelcontextprotocol.io']);
    asks.answer(waiting.id, { action: 'openAgain' });
    const again = await question(asks, 'urlWaiting');
    asks.answer(again.id, { action: 'finished' });
    // Asked again, this server goes on with a question of its own.
    const second = await question(asks, 'urlElicitation');
    expect(second).toMatchObject({ url: 'https://example.test/' });
    asks.answer(second.id, { action: 'decline' });
    expect(JSON.stringify(await call)).toContain('declined');
    expect(ports.opened).toEqual(['https://modelcontextprotocol.io', 'https://modelcontextprotocol.io']);
  });

  it.each(['decline', 'cancel'] as const)('is not asked again after %s', async action => {
    const { asks, ports, call } = await refuse();
    asks.answer((await question(asks, 'urlElicitation')).id, { action });
    await expect(call).rejects.toMatchObject({ code: 'call.declined' });
    expect(ports.opened).toEqual([]);
  });

  it('is not asked again when the person gives up while the page is open', async () => {
    const { asks, call } = await refuse();
    asks.answer((await question(asks, 'urlElicitation')).id, { action: 'accept' });
    asks.answer((await question(asks, 'urlWaiting')).id, { action: 'cancel' });
    await expect(call).rejects.toMatchObject({ code: 'call.declined' });
    expect(asks.pending()).toEqual([]);
  });

  it.each(['urlElicitation', 'urlWaiting'] as const)('has its %s taken back by Stop', async kind => {
    const stop = new AbortController();
    const { asks, call } = await refuse(stop.signal);
    const first = await question(asks, 'urlElicitation');
    if (kind === 'urlWaiting') asks.answer(first.id, { action: 'accept' });
    await question(asks, kind);
    stop.abort();
    await expect(call).rejects.toMatchObject({ code: expect.stringMatching(/^call\./) });
    expect(asks.pending()).toEqual([]);
  });
});

describe('a legacy server that sends the person to a page while it runs', () => {
  const elicit = (id: string) => ({
    id: 'q',
    method: 'elicitation/create',
    params: { mode: 'url', elicitationId: id, message: 'Go', url: 'https://example.test/go' },
  });

  it('hears of the consent at once, and its word that the visit is complete ends the waiting', async () => {
    const legacy = await startScriptedCall();
    const call = legacy.call();
    await legacy.send(elicit('visit-1'));
    const first = await question(legacy.asks, 'urlElicitation');
    expect(first.serverHost).toBe('127.0.0.1');
    legacy.asks.answer(first.id, { action: 'accept' });
    expect(await legacy.answer('q')).toEqual({ action: 'accept' });
    const waiting = await question(legacy.asks, 'urlWaiting');
    await legacy.send({ method: 'notifications/elicitation/complete', params: { elicitationId: 'visit-2' } });
    await legacy.send({ method: 'notifications/elicitation/complete', params: { elicitationId: 'visit-1' } });
    await vi.waitFor(() => expect(legacy.asks.pending()).toEqual([]), 10_000);
    expect(legacy.events).toContainEqual({ name: 'ask.closed', payload: { id: waiting.id } });
    legacy.finish();
    expect((await call)?.content).toEqual([{ type: 'text', text: 'ok' }]);
    expect(legacy.ports.opened).toEqual(['https://example.test/go']);
  });

  it('has the waiting ended by the end of its call', async () => {
    const legacy = await startScriptedCall();
    const call = legacy.call();
    await legacy.send(elicit('visit-1'));
    legacy.asks.answer((await question(legacy.asks, 'urlElicitation')).id, { action: 'accept' });
    await question(legacy.asks, 'urlWaiting');
    legacy.finish();
    await call;
    expect(legacy.asks.pending()).toEqual([]);
  });

  it('loses its call when the person cancels the waiting, and keeps it when they have finished', async () => {
    for (const action of ['cancel', 'finished'] as const) {
      const legacy = await startScriptedCall();
      const call = legacy.call();
      call?.catch(() => undefined);
      await legacy.send(elicit('visit-1'));
      legacy.asks.answer((await question(legacy.asks, 'urlElicitation')).id, { action: 'accept' });
      legacy.asks.answer((await question(legacy.asks, 'urlWaiting')).id, { action });
      if (action === 'cancel') await expect(call).rejects.toMatchObject({ code: 'call.declined' });
      else {
        legacy.finish();
        expect((await call)?.content).toEqual([{ type: 'text', text: 'ok' }]);
      }
    }
  });
});

it.each(['file:///etc/passwd', 'javascript:alert(1)', 'no address'])(
  'a page at %s is neither offered nor opened',
  async url => {
    const { manager, asks, ports } = await startManager({
      old: nodeEntry(referenceServer('everything'), ['stdio']),
    });
    await reaches(manager, 'old', 'ready');
    const call = manager.connection('old')?.callTool('trigger-url-elicitation', { url }, { signal: never });
    const outcome = await call?.then(
      result => result.isError,
      () => true,
    );
    expect(outcome).toBe(true);
    expect(asks.pending()).toEqual([]);
    expect(ports.opened).toEqual([]);
  },
);
