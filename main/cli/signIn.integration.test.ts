import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveHttp } from '../../assets/sample-server/http.ts';
import { type AuthServer, startAuthServer } from '../../e2e/support/authServer.ts';
import { commandLine, hasTerminal } from '../../e2e/support/commandLine.ts';
import { startProtected } from '../../e2e/support/protectedServer.ts';
import { finishSignIn } from '../../e2e/support/signInBrowser.ts';

const { parley, start, serversFile, home } = commandLine();

type Running = ReturnType<typeof start>;

async function authServer(): Promise<AuthServer> {
  const server = await startAuthServer();
  onTestFinished(() => server.close());
  return server;
}

/** A protected server, with the options that make the command line use it. */
async function setUp() {
  const sample = await serveHttp(0);
  onTestFinished(sample.close);
  const idp = await authServer();
  let whenCalled: (() => void) | undefined;
  const guard = await startProtected(sample.url, idp, {
    beforeCheck(body) {
      if (!body.includes('"tools/call"')) return;
      whenCalled?.();
      whenCalled = undefined;
    },
  });
  onTestFinished(() => guard.close());
  const options = ['--config', serversFile({ guarded: { url: guard.url } })];
  const add = ['call', 'guarded', 'add', '{"a":19,"b":23}', ...options];
  return {
    idp,
    guard,
    options,
    add,
    calls: () => guard.passed.filter(body => body.includes('"tools/call"')).length,
    /** With the first call neither its token nor the means to renew it are good any more. */
    async losesSignInWithFirstCall(): Promise<AuthServer> {
      const next = await authServer();
      whenCalled = () => {
        guard.expireTokens();
        guard.moveTo(next);
      };
      return next;
    },
    signInAndKeep: async () => {
      const running = start({}, ['signin', 'guarded', '--answer', '{}', '--keep', ...options]);
      await finishSignIn(await printedAddress(running));
      expect((await running.ended).status).toBe(0);
    },
  };
}

/** The `number`th address that was printed to be opened. */
async function printedAddress(running: Running, number = 1): Promise<string> {
  const found = () => [...running.printed().matchAll(/Open this page in your browser: (\S+)/g)];
  await expect.poll(() => found().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(number);
  return found()[number - 1]?.[1] ?? '';
}

function secretsFile(): Promise<string> {
  return readFile(join(home(), '.config', 'Parley', 'secrets.json'), 'utf8').catch(() => '');
}

describe('signin', () => {
  it('prints the address, goes on when the browser is back, and keeps nothing that it was not told to', async () => {
    const { idp, options, add } = await setUp();
    const running = start({}, ['signin', 'guarded', '--answer', '{}', ...options]);
    const url = await printedAddress(running);
    expect(new URL(url).host).toBe(idp.host);
    expect((await finishSignIn(url)).page).toContain('Back to Parley');
    const { status, stdout, stderr } = await running.ended;
    expect([status, stdout]).toEqual([0, 'You are signed in to guarded.\n']);
    expect(stderr).toContain('Waiting for your browser to finish the sign-in to guarded.');
    expect(idp.grants).toEqual(['authorization_code']);
    expect(await secretsFile()).toBe('');

    const later = await parley(...add);
    expect([later.status, later.stdout]).toEqual([1, '']);
    expect(later.stderr).toMatch(/there is no terminal to ask you on[\s\S]*--answer '\{\}' agrees/);
  });

  it('--keep is for the commands after it, until signout takes the tokens back', async () => {
    const { idp, guard, options, add, signInAndKeep } = await setUp();
    await signInAndKeep();
    const kept = JSON.parse(JSON.parse(await secretsFile())['server.auth.guarded'].value);
    const token = kept.tokens[idp.issuer].access_token as string;
    expect(await parley(...add)).toMatchObject({ status: 0, stdout: '19 + 23 = 42\n', stderr: '' });
    guard.expireTokens();
    expect(await parley(...add)).toMatchObject({ status: 0, stdout: '19 + 23 = 42\n', stderr: '' });
    expect(idp.grants).toEqual(['authorization_code', 'refresh_token']);

    const { status, stdout } = await parley('signout', 'guarded', ...options);
    expect([status, stdout]).toEqual([0, 'You are signed out of guarded.\n']);
    expect(await secretsFile()).not.toContain('access_token');
    expect(await idp.check(token)).toBeUndefined();
    expect(idp.requests).toContain('POST /token/revocation');
    expect((await parley(...add)).status).toBe(1);
  });

  it.each([
    ['cancelled', ['--answer', 'cancel'], /did not sign in to “guarded”/],
    ['with nobody to ask', [], /wants you to sign in on 127\.0\.0\.1,[\s\S]*did not sign in/],
    ['of a server that is not there', ['--config', 'none.json'], /There is no file/],
  ])('%s opens nothing and fails', async (_what, more, message) => {
    const { idp, options } = await setUp();
    const { status, stdout, stderr } = await parley('signin', 'guarded', ...options, ...more);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('Open this page');
    expect(idp.grants).toEqual([]);
  });

  it('that is refused on the page says what the authorization server said', async () => {
    const { options } = await setUp();
    const running = start({}, ['signin', 'guarded', '--answer', '{}', '--json', ...options]);
    await finishSignIn(await printedAddress(running), { abort: true });
    const { status, stdout } = await running.ended;
    expect(status).toBe(1);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'auth.refused' },
    });
  });
});

describe('a sign-in that ends in the middle', () => {
  it('of a call is asked for, and the call is made once', async () => {
    const { add, calls, losesSignInWithFirstCall } = await setUp();
    const next = await losesSignInWithFirstCall();
    const running = start({}, [...add, '--answer', '{}']);
    await finishSignIn(await printedAddress(running));
    const second = await printedAddress(running, 2);
    expect(new URL(second).host).toBe(next.host);
    await finishSignIn(second);
    expect(await running.ended).toMatchObject({ status: 0, stdout: '19 + 23 = 42\n' });
    expect(calls()).toBe(1);
  });

  it('of an answer is asked for, and the answer goes on', async () => {
    const { options, signInAndKeep, losesSignInWithFirstCall } = await setUp();
    await signInAndKeep();
    await losesSignInWithFirstCall();
    const asked = ['ask', '--model', 'guide', '--approve', 'all', '/guarded add {"a":19,"b":23}', ...options];
    const running = start({}, [...asked, '--answer', '{}']);
    await finishSignIn(await printedAddress(running));
    const { status, stdout } = await running.ended;
    expect([status, stdout]).toEqual([0, expect.stringContaining('42')]);
  });

  it('of an answer and is not wanted is an error in it', async () => {
    const { options, calls, signInAndKeep, losesSignInWithFirstCall } = await setUp();
    await signInAndKeep();
    await losesSignInWithFirstCall();
    const asked = ['ask', '--model', 'guide', '--approve', 'all', '/guarded add {"a":19,"b":23}', ...options];
    const { status, stdout, stderr } = await parley(...asked, '--answer', 'cancel');
    expect(stdout + stderr).toContain('did not sign in to “guarded”');
    expect(stdout).not.toContain('42');
    expect(status).toBe(1);
    expect(calls()).toBe(0);
  });
});

describe.runIf(hasTerminal)('on a terminal', () => {
  it('shows where the person signs in, and the link only when they want it; it can be shown again', async () => {
    const { idp, guard, options } = await setUp();
    const running = start({ pty: true }, ['signin', 'guarded', ...options]);
    await running.until(/guarded wants you to be signed in[\s\S]*\[n\] no: $/);
    expect(running.printed()).toContain(guard.url);
    expect(running.printed()).toMatch(/Sign in on: +127\.0\.0\.1/);
    expect(running.printed()).not.toContain('Open this page');
    await running.typeUntil('y', /\[c\] cancel: $/);
    running.child.stdin?.write('a\r');
    const url = await printedAddress(running, 2);
    expect(new URL(url).host).toBe(idp.host);
    await finishSignIn(url);
    const { status } = await running.ended;
    expect([status, running.printed()]).toEqual([
      0,
      expect.stringContaining('You are signed in to guarded.'),
    ]);
  });

  it.each([
    ['before the link is shown', ['n']],
    ['while the browser is open', ['y', 'c']],
  ])('is given up %s', async (_when, keys) => {
    const { idp, options } = await setUp();
    const running = start({ pty: true }, ['signin', 'guarded', ...options]);
    await running.until(/\[n\] no: $/);
    for (const key of keys) {
      if (key === 'y') await running.typeUntil('y', /\[c\] cancel: $/);
      else running.child.stdin?.write(`${key}\r`);
    }
    const { status } = await running.ended;
    expect([status, running.printed()]).toEqual([1, expect.stringContaining('did not sign in to “guarded”')]);
    expect(idp.grants).toEqual([]);
  });

  it('asks for a secret that the entry refers to, and does not show it', async () => {
    const server = { url: 'http://127.0.0.1:9/mcp', headers: { 'X-Key': '${secret:KEY}' } };
    const running = start({ pty: true }, ['servers', '--config', serversFile({ keyed: server })]);
    await running.until(/keyed needs the secret “KEY” \(the header X-Key\)[\s\S]*nothing cancels: $/);
    running.child.stdin?.write('hidden-key-1\r');
    await running.until(/only for this command: $/);
    running.child.stdin?.write('n\r');
    await running.ended;
    expect(running.printed()).not.toContain('hidden-key-1');
    expect(await secretsFile()).toBe('');
  });
});
