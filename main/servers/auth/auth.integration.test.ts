import { readFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { serveHttp } from '../../../assets/sample-server/http.ts';
import { type AuthServer, BY_HAND, ROBOT, startAuthServer } from '../../../e2e/support/authServer.ts';
import { startEverything } from '../../../e2e/support/everything.ts';
import { reaches, startManager } from '../../../e2e/support/manager.ts';
import { startProtected } from '../../../e2e/support/protectedServer.ts';
import { finishSignIn } from '../../../e2e/support/signInBrowser.ts';
import type { AskOf } from '../../../shared/asks.ts';
import type { ServerAuth } from '../../../shared/servers.ts';

const never = new AbortController().signal;

async function authServer(): Promise<AuthServer> {
  const server = await startAuthServer();
  onTestFinished(() => server.close());
  return server;
}

async function upstream(era: 'modern' | 'legacy'): Promise<{ url: string; tool: string; args: object }> {
  if (era === 'legacy')
    return { url: await startEverything('streamableHttp'), tool: 'echo', args: { message: 'hello' } };
  const { url, close } = await serveHttp(0);
  onTestFinished(close);
  return { url, tool: 'add', args: { a: 19, b: 23 } };
}

interface Options {
  era?: 'modern' | 'legacy';
  auth?: ServerAuth;
  demands?: Parameters<typeof startProtected>[2];
  headers?: Record<string, string>;
}

/** A manager with one protected server, and everything around it. Ends with the test. */
async function setUp({ era = 'modern', auth, demands, headers }: Options = {}) {
  const idp = await authServer();
  const { url: open, tool, args } = await upstream(era);
  const guard = await startProtected(open, idp, demands);
  onTestFinished(() => guard.close());
  const started = await startManager({
    guarded: { url: guard.url, ...(auth ? { auth } : {}), ...(headers ? { headers } : {}) },
  });
  const { manager, asks, view, ports } = started;
  await manager.settled();
  const call = (signal: AbortSignal = never) => {
    const connection = manager.connection('guarded');
    if (!connection) throw new Error('There is no such server.');
    return connection.callTool(tool, args as Record<string, unknown>, { signal, conversationId: 'talk' });
  };
  const calls = () => guard.passed.filter(body => body.includes('"tools/call"')).length;
  const asked = async <K extends 'signIn' | 'signInWaiting'>(kind: K): Promise<AskOf<K>> =>
    vi.waitFor(() => {
      const ask = asks.pending().find(one => one.kind === kind);
      if (!ask) throw new Error(`There is no question ${kind}, but ${JSON.stringify(asks.pending())}`);
      return ask as AskOf<K>;
    });
  /** Agrees to the open question and goes through the pages. */
  const goThrough = async (options?: Parameters<typeof finishSignIn>[1]) => {
    const ask = await asked('signIn');
    asks.answer(ask.id, { action: 'open', acceptPlain: false });
    await vi.waitFor(() => expect(ports.opened).toContain(ask.url));
    return { ask, ...(await finishSignIn(ask.url, options)) };
  };
  const signIn = async () => {
    const done = manager.signIn('guarded');
    const through = await goThrough();
    await done;
    return through;
  };
  return { ...started, view, idp, guard, call, calls, asked, goThrough, signIn };
}

/** What a failed promise says. */
async function refusal(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await promise.then(
    result => expect.fail(`It succeeded: ${JSON.stringify(result)}`),
    (reason: unknown) => reason,
  );
  return error as { code: string; message: string };
}

describe.each(['modern', 'legacy'] as const)('a protected server (%s)', era => {
  it('waits for the person, who sees where they go before anything is opened', async () => {
    const { manager, view, asks, idp, guard, signIn, call, ports } = await setUp({ era });
    expect(view('guarded')).toMatchObject({ state: 'failed', error: { code: 'auth.required' } });
    expect(asks.pending()).toEqual([]);
    expect(idp.requests).toEqual([]);

    const { ask, status, page } = await signIn();
    expect(ask).toMatchObject({ server: 'guarded', serverUrl: guard.url, canEncrypt: false });
    expect(new URL(ask.url).host).toBe(idp.host);
    expect(Object.fromEntries(new URL(ask.url).searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      resource: guard.url,
      state: expect.stringMatching(/^[\w-]{43}$/),
      scope: expect.stringContaining('mcp:read'),
    });
    expect(ports.opened).toEqual([ask.url]);
    expect({ status, page }).toEqual({
      status: 200,
      page: expect.stringContaining('You can close this page'),
    });
    expect(view('guarded')).toMatchObject({ state: 'ready', signedIn: true });
    expect(idp.registered).toEqual([[expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)]]);
    // Nobody listens any more.
    await expect(fetch(idp.registered[0]?.[0] ?? '')).rejects.toThrow();
    expect((await call()).isError ?? false).toBe(false);
    await manager.close();
  });

  it('is asked once for all calls when the sign-in has ended, and each is made once', async () => {
    const { signIn, guard, idp, call, calls, goThrough, asks } = await setUp({ era });
    await signIn();
    guard.expireTokens();
    await call();
    expect(idp.grants).toEqual(['authorization_code', 'refresh_token']);

    // Neither the token nor the means to renew it are good any more.
    guard.expireTokens();
    const other = await authServer();
    guard.moveTo(other);
    const before = calls();
    const all = Promise.all([call(), call(), call(), call()]);
    const { ask } = await goThrough();
    expect(ask).toMatchObject({ conversationId: 'talk' });
    expect(new URL(ask.url).host).toBe(other.host);
    await all;
    expect(calls() - before).toBe(4);
    expect(other.grants).toEqual(['authorization_code']);
    expect(asks.pending()).toEqual([]);
  });

  it('is given fresh tokens once however many calls wait, also a second time', async () => {
    const { signIn, guard, idp, call, calls, asks } = await setUp({ era });
    await signIn();
    for (const round of [1, 2]) {
      guard.expireTokens();
      await Promise.all([call(), call(), call(), call(), call()]);
      expect(idp.grants.filter(grant => grant === 'refresh_token')).toHaveLength(round);
      expect(calls()).toBe(5 * round);
    }
    expect(asks.pending()).toEqual([]);
  });
});

describe('a sign-in', () => {
  it('is still there after a restart, and was never shown to anybody', async () => {
    const { signIn, manager, file, dataDir, ports, guard, idp, close, events, db } = await setUp();
    await signIn();
    const secret = JSON.parse(ports.secrets.get('server.auth.guarded')?.value ?? '{}');
    const token = secret.tokens[idp.issuer].access_token as string;
    expect(token.length).toBeGreaterThan(20);
    const shown = [await readFile(file, 'utf8'), JSON.stringify(events), JSON.stringify(manager.views())];
    expect(shown.join()).not.toContain(token);
    expect(manager.log('guarded').join('\n')).not.toContain(token);
    await close();
    expect(db.open).toBe(false);

    const again = await startManager({ guarded: { url: guard.url } }, { ports: { secrets: ports.secrets } });
    expect(again.dataDir).not.toBe(dataDir);
    await reaches(again.manager, 'guarded', 'ready');
    expect(idp.grants).toEqual(['authorization_code']);
  });

  it('that the person does not want is an error for the model, and is asked for again later', async () => {
    const { signIn, guard, call, asked, asks, idp } = await setUp();
    await signIn();
    guard.expireTokens();
    guard.moveTo(await authServer());
    const first = refusal(call());
    asks.answer((await asked('signIn')).id, { action: 'cancel' });
    expect(await first).toMatchObject({ code: 'auth.declined' });
    expect(asks.pending()).toEqual([]);

    const second = refusal(call());
    const { id } = await asked('signIn');
    asks.answer(id, { action: 'open', acceptPlain: false });
    asks.answer((await asked('signInWaiting')).id, { action: 'cancel' });
    expect(await second).toMatchObject({ code: 'auth.declined' });
    expect(idp.grants).toEqual(['authorization_code']);
  });

  it('question goes when the only call that needs it is stopped', async () => {
    const { signIn, guard, call, asked, asks } = await setUp();
    await signIn();
    guard.expireTokens();
    guard.moveTo(await authServer());
    const stop = new AbortController();
    const stopped = refusal(call(stop.signal));
    const { url } = await asked('signIn');
    stop.abort();
    expect(await stopped).toMatchObject({ code: 'call.cancelled' });
    await vi.waitFor(() => expect(asks.pending()).toEqual([]));
    // And the listener with it.
    const redirect = new URL(url).searchParams.get('redirect_uri') ?? '';
    await vi.waitFor(() => expect(fetch(redirect)).rejects.toThrow());
  });

  it('that the person refuses on the page says so', async () => {
    const { manager, goThrough, view } = await setUp();
    const failed = refusal(manager.signIn('guarded'));
    const { page } = await goThrough({ abort: true });
    expect(page).toContain('was refused');
    expect(await failed).toMatchObject({ code: 'auth.refused', message: expect.stringContaining('aborted') });
    expect(view('guarded')?.signedIn).toBeUndefined();
  });

  it('takes no answer but the one it waits for, and only from the authorization server that was asked', async () => {
    const { manager, asked, asks, idp, ports } = await setUp();
    const failed = refusal(manager.signIn('guarded'));
    const { id, url } = await asked('signIn');
    const { searchParams } = new URL(url);
    const answer = (params: Record<string, string>, path = '') => {
      const callback = new URL(`${searchParams.get('redirect_uri')}${path}`);
      callback.search = String(new URLSearchParams(params));
      return fetch(callback);
    };
    const state = searchParams.get('state') ?? '';
    // Not before the person agreed, whoever knows the address.
    expect((await answer({ code: 'early', state, iss: idp.issuer })).status).toBe(404);
    asks.answer(id, { action: 'open', acceptPlain: false });
    await vi.waitFor(() => expect(ports.opened).toEqual([url]));
    expect((await answer({ code: 'x', state: 'guessed', iss: idp.issuer })).status).toBe(404);
    expect((await answer({ code: 'x', state, iss: idp.issuer }, '/other')).status).toBe(404);
    expect((await answer({ state })).status).toBe(404);
    expect(asks.pending().map(({ kind }) => kind)).toEqual(['signInWaiting']);
    expect((await answer({ code: 'x', state, iss: 'https://elsewhere.example' })).status).toBe(200);
    expect(await failed).toMatchObject({ code: 'auth.issuer' });
    expect(idp.requests).not.toContain('POST /token');
  });

  it('for more rights asks for those of before too, and a server that is never content gives up', async () => {
    const scopeFor = (body: string) => (body.includes('"tools/call"') ? 'mcp:write' : undefined);
    const { signIn, call, goThrough, idp, calls } = await setUp({ demands: { scopeFor } });
    await signIn();
    const called = call();
    const { ask } = await goThrough();
    expect(ask).toMatchObject({ more: true });
    expect(ask.scope?.split(' ')).toEqual(expect.arrayContaining(['mcp:read', 'mcp:write']));
    await called;
    expect(calls()).toBe(1);
    expect(idp.grants).toEqual(['authorization_code', 'authorization_code']);

    const greedy = await setUp({ demands: { scopeFor, isNeverContent: true } });
    await greedy.signIn();
    const failed = refusal(greedy.call());
    await greedy.goThrough();
    expect(await failed).toMatchObject({ code: 'server.forbidden' });
    expect(greedy.calls()).toBe(0);
    expect(greedy.asks.pending()).toEqual([]);
  });

  it('of a client that was registered by hand goes to no other authorization server', async () => {
    const { signIn, guard, call, idp } = await setUp({ auth: BY_HAND });
    const { ask } = await signIn();
    expect(new URL(ask.url).searchParams.get('client_id')).toBe(BY_HAND.clientId);
    expect(idp.registered).toEqual([]);
    const other = await authServer();
    guard.moveTo(other);
    guard.expireTokens();
    expect(await refusal(call())).toMatchObject({ code: 'auth.issuer' });
    expect(other.requests.filter(request => request.startsWith('POST'))).toEqual([]);
  });

  it('is taken back when the person signs out', async () => {
    const { signIn, manager, idp, ports, view } = await setUp();
    await signIn();
    const kept = JSON.parse(ports.secrets.get('server.auth.guarded')?.value ?? '{}');
    const token = kept.tokens[idp.issuer].access_token as string;
    expect(await idp.check(token)).toBeDefined();
    await manager.signOut('guarded');
    expect(await idp.check(token)).toBeUndefined();
    expect(idp.requests.filter(request => request === 'POST /token/revocation')).toHaveLength(2);
    await manager.settled();
    expect(view('guarded')).toMatchObject({ state: 'failed', error: { code: 'auth.required' } });
    expect(view('guarded')?.signedIn).toBeUndefined();
  });

  it('moves with the name of its server, and is never shown to another address', async () => {
    const { signIn, manager, guard, idp, view } = await setUp();
    await signIn();
    await manager.update('guarded', { type: 'http', url: guard.url }, 'renamed');
    await reaches(manager, 'renamed', 'ready');
    expect(view('renamed')?.signedIn).toBe(true);

    const seen: (string | undefined)[] = [];
    const { startRawHttp } = await import('../../../e2e/support/rawHttp.ts');
    const elsewhere = await startRawHttp((_message, response) => {
      seen.push(response.req.headers.authorization);
      return false;
    });
    await manager.update('renamed', { type: 'http', url: elsewhere.url });
    await reaches(manager, 'renamed', 'ready');
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.every(header => header === undefined)).toBe(true);
    expect(view('renamed')?.signedIn).toBeUndefined();
    expect(idp.grants).toEqual(['authorization_code']);
  });

  it('is not offered where the entry has an Authorization header of its own', async () => {
    const { view, idp, asks } = await setUp({ headers: { authorization: 'Bearer wrong' } });
    expect(view('guarded')?.error?.code).toBe('server.unauthorized');
    expect(idp.requests).toEqual([]);
    expect(asks.pending()).toEqual([]);
  });
});

describe('a client that stands for itself', () => {
  it('gets its tokens without anybody being asked, and anew when they expire', async () => {
    const { view, asks, guard, call, idp } = await setUp({
      auth: { grant: 'client_credentials', ...ROBOT, scope: 'mcp:read' },
    });
    expect(view('guarded')).toMatchObject({ state: 'ready' });
    expect(view('guarded')?.signedIn).toBeUndefined();
    guard.expireTokens();
    await Promise.all([call(), call(), call()]);
    expect(idp.grants).toEqual(['client_credentials', 'client_credentials']);
    expect(asks.pending()).toEqual([]);
  });

  it('that lacks something says what', async () => {
    const { view } = await setUp({ auth: { grant: 'client_credentials', clientId: 'x' } });
    expect(view('guarded')?.error).toMatchObject({
      code: 'auth.config',
      message: expect.stringContaining('clientSecret'),
    });
  });
});
