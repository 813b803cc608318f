import { createServer, get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenForRedirect } from './redirect.ts';

const STATE = 'the-state';

async function listening(ports: Parameters<typeof listenForRedirect>[0] = {}) {
  const redirect = await listenForRedirect(ports);
  onTestFinished(() => redirect.close());
  return redirect;
}

function callback(url: string, params: Record<string, string>): string {
  return `${url}?${new URLSearchParams(params)}`;
}

describe('the listener for the browser’s return', () => {
  it('takes the one callback that it waits for, and answers with a page that loads and repeats nothing', async () => {
    const redirect = await listening();
    expect(redirect.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    const back = redirect.callback(STATE);
    const sent = { code: '<script>', state: STATE, iss: 'https://login.example.com' };
    const response = await fetch(callback(redirect.url, sent));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const page = await response.text();
    expect(page).toContain('Back to Parley');
    expect(page).not.toContain('<script>');
    expect(Object.fromEntries(await back)).toEqual(sent);
  });

  it('refuses everything else, and goes on waiting', async () => {
    const redirect = await listening();
    const right = callback(redirect.url, { code: 'c', state: STATE });
    // Before anybody agreed to a sign-in.
    expect((await fetch(right)).status).toBe(404);
    const back = redirect.callback(STATE);
    const wrong: [string, RequestInit?][] = [
      [callback(redirect.url, { code: 'c', state: 'another' })],
      [callback(redirect.url, { code: 'c' })],
      [callback(redirect.url, { state: STATE })],
      [right.replace('/callback', '/other')],
      [right.replace('/callback', '/callback/more')],
      [right.replace('/callback', '/')],
      [right, { method: 'POST', body: 'x' }],
      [right, { method: 'OPTIONS' }],
    ];
    for (const [url, init] of wrong)
      expect((await fetch(url, init)).status, `${init?.method} ${url}`).toBe(404);
    // A page elsewhere whose name has been pointed at this machine.
    const rebound = new Promise(resolve =>
      get(right, { headers: { host: 'evil.example' } }, response => resolve(response.resume().statusCode)),
    );
    expect(await rebound).toBe(404);
    expect((await fetch(right)).status).toBe(200);
    expect((await back).get('code')).toBe('c');
  });

  it('takes no second callback', async () => {
    const redirect = await listening();
    const back = redirect.callback(STATE);
    expect((await fetch(callback(redirect.url, { code: 'first', state: STATE }))).status).toBe(200);
    expect((await fetch(callback(redirect.url, { code: 'second', state: STATE }))).status).toBe(404);
    expect((await back).get('code')).toBe('first');
  });

  it('says when the sign-in was refused', async () => {
    const redirect = await listening();
    const back = redirect.callback(STATE);
    const response = await fetch(callback(redirect.url, { error: 'access_denied', state: STATE }));
    expect(await response.text()).toContain('was refused');
    expect((await back).get('error')).toBe('access_denied');
  });

  it('is gone when it is closed, also with a connection that says nothing', async () => {
    const redirect = await listening();
    void redirect.callback(STATE);
    const { port } = new URL(redirect.url);
    const silent = connect(Number(port), '127.0.0.1');
    onTestFinished(() => void silent.destroy());
    const hungUp = new Promise(resolve => silent.once('close', resolve));
    await new Promise(resolve => silent.once('connect', resolve));
    await redirect.close();
    await hungUp;
    await expect(fetch(redirect.url)).rejects.toThrow();
    await redirect.close();
  });

  it('takes another port where the wished one is in use, and says so where it is prescribed', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise(resolve => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    expect(new URL((await listening({ wished: port })).url).port).not.toBe(String(port));
    await expect(listenForRedirect({ fixed: port })).rejects.toMatchObject({
      code: 'auth.port',
      message: expect.stringContaining(String(port)),
    });
  });
});
