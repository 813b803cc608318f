import { createServer } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { serveHttp } from '../../../assets/sample-server/http.ts';
import { startAuthServer } from '../../../e2e/support/authServer.ts';
import { reaches, startManager } from '../../../e2e/support/manager.ts';
import { startProtected } from '../../../e2e/support/protectedServer.ts';
import { startRawHttp } from '../../../e2e/support/rawHttp.ts';
import { finishSignIn } from '../../../e2e/support/signInBrowser.ts';
import { Credentials } from './credentials.ts';

const never = new AbortController().signal;

/** One protected server under several names. */
async function startAccounts(names: string[], entry: object = {}) {
  const idp = await startAuthServer();
  onTestFinished(() => idp.close());
  const open = await serveHttp(0);
  onTestFinished(() => open.close());
  const guard = await startProtected(open.url, idp);
  onTestFinished(() => guard.close());
  const bench = await startManager(
    Object.fromEntries(names.map(name => [name, { url: guard.url, ...entry }])),
  );
  const { manager, asks, ports } = bench;
  await manager.settled();
  /** Goes through the pages as `login`; resolves with the address that the browser came back to. */
  const signIn = async (name: string, login: string) => {
    const done = manager.signIn(name);
    const ask = await vi.waitFor(() => {
      const found = asks.pending().find(({ kind }) => kind === 'signIn');
      if (found?.kind !== 'signIn') throw new Error('Nobody asks for a sign-in yet.');
      return found;
    });
    asks.answer(ask.id, { action: 'open', acceptPlain: false });
    await finishSignIn(ask.url, { login });
    await done;
    return new URL(ask.url).searchParams.get('redirect_uri') ?? '';
  };
  const token = (name: string) => new Credentials(ports.secrets, name, guard.url).tokens?.access_token ?? '';
  const call = (name: string) =>
    manager.connection(name)?.callTool('add', { a: 19, b: 23 }, { signal: never });
  return { ...bench, idp, guard, signIn, token, call };
}

it('two entries of one server are two accounts: each has its own sign-in, and signing out of one leaves the other', async () => {
  const { manager, idp, view, signIn, token, call } = await startAccounts(['work', 'home']);
  await signIn('work', 'ada');
  expect(view('home')).toMatchObject({ state: 'failed', error: { code: 'auth.required' } });
  await signIn('home', 'grace');
  const [work, home] = [token('work'), token('home')];
  expect(work).not.toBe(home);
  await Promise.all(['work', 'home'].map(async name => expect((await call(name))?.isError).toBeFalsy()));
  await manager.signOut('work');
  expect(await idp.check(work)).toBeUndefined();
  expect(await idp.check(home)).toBeDefined();
  expect((await call('home'))?.isError).toBeFalsy();
  expect([view('work')?.signedIn, view('home')?.signedIn]).toEqual([undefined, true]);
  expect(token('home')).toBe(home);
});

it('a registration is used again with its redirect address, and made anew when that cannot be had', async () => {
  const { manager, idp, signIn } = await startAccounts(['guarded']);
  const first = await signIn('guarded', 'ada');
  await manager.signOut('guarded');
  expect(await signIn('guarded', 'ada')).toBe(first);
  expect(idp.registered).toEqual([[first]]);

  await manager.signOut('guarded');
  const other = createServer().listen(Number(new URL(first).port), '127.0.0.1');
  onTestFinished(() => void other.close());
  const second = await signIn('guarded', 'ada');
  expect(second).not.toBe(first);
  expect(idp.registered).toEqual([[first], [second]]);
});

it('the headers of the entry go to the server and not to its authorization server', async () => {
  const { idp, signIn, call } = await startAccounts(['guarded'], { headers: { 'X-Api-Key': 'very-secret' } });
  await signIn('guarded', 'ada');
  expect((await call('guarded'))?.isError).toBeFalsy();
  expect(idp.requests).toContain('POST /token');
  expect(JSON.stringify(idp.headers)).not.toContain('very-secret');
});

it('a token does not follow a redirect to another origin, and is in no address', async () => {
  const thief = await startRawHttp();
  let isHostile = false;
  const { url, received } = await startRawHttp((_message, response) =>
    isHostile ? Boolean(response.writeHead(307, { location: thief.url }).end()) : false,
  );
  const { manager, ports } = await startManager({});
  const tokens = { access_token: 'very-secret', token_type: 'Bearer' };
  new Credentials(ports.secrets, 'far', url).saveTokens('https://issuer.example', tokens);
  await manager.add('far', { type: 'http', url });
  await reaches(manager, 'far', 'ready');
  for (const { headers, url: path } of received) {
    expect(headers.authorization).toBe('Bearer very-secret');
    expect(path).not.toContain('very-secret');
  }
  isHostile = true;
  const call = manager.connection('far')?.callTool('echo', {}, { signal: never });
  await expect(call).rejects.toMatchObject({ code: 'server.redirect' });
  expect(thief.received).toEqual([]);
});
