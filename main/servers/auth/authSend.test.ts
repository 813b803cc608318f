import { describe, expect, it } from 'vitest';
import type { Send } from '../types.ts';
import { authSend } from './authSend.ts';

const never = new AbortController().signal;

/** What was sent where, by a sender that always answers the same. */
function sender(respond: () => Response | Promise<Response> = () => new Response('{}')) {
  const sent: string[] = [];
  const send: Send = async input => {
    sent.push(String(input));
    return respond();
  };
  return { sent, send };
}

const PUBLIC = 'https://mcp.example.com/mcp';
const LOCAL = 'http://127.0.0.1:3000/mcp';

describe('a request of a sign-in', () => {
  it.each([
    [PUBLIC, 'https://login.example.com/token'],
    [PUBLIC, 'https://mcp.example.com/.well-known/oauth-protected-resource'],
    // The person's own servers, however they are reached.
    ['http://server.example/mcp', 'http://server.example/authorize'],
    [LOCAL, 'http://127.0.0.1:4000/token'],
    [LOCAL, 'https://login.example.com/token'],
    ['https://10.0.0.5/mcp', 'https://10.0.0.6/token'],
  ])('of %s may go to %s', async (server, url) => {
    const { sent, send } = sender();
    expect((await authSend(send, server, never)(url)).status).toBe(200);
    expect(sent).toEqual([url]);
  });

  it.each<[server: string, url: string, why: string]>([
    [PUBLIC, 'http://login.example.com/token', 'not encrypted'],
    [LOCAL, 'http://login.example.com/token', 'not encrypted'],
    [PUBLIC, 'ftp://login.example.com/token', 'not encrypted'],
    ...[
      'localhost:1',
      'a.localhost',
      '127.1.2.3',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '[::1]',
      '[::ffff:10.0.0.1]',
      '[fd00::1]',
      '[fe80::1]',
      // Other spellings of 127.0.0.1.
      '2130706433',
      '0x7f.1',
    ].map((host): [string, string, string] => [PUBLIC, `https://${host}/token`, 'inside your own network']),
    [PUBLIC, 'http://127.0.0.1/token', 'inside your own network'],
  ])('of %s is not sent to %s', async (server, url, why) => {
    const { sent, send } = sender();
    await expect(authSend(send, server, never)(url)).rejects.toMatchObject({
      code: 'auth.address',
      message: expect.stringContaining(why),
    });
    expect(sent).toEqual([]);
  });

  it('fails with the host that could not be reached, and with the reason of whoever ended it', async () => {
    const broken = sender(() => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' })));
    await expect(
      authSend(broken.send, PUBLIC, never)('https://login.example.com/token'),
    ).rejects.toMatchObject({
      message: expect.stringContaining('login.example.com'),
    });
    const stop = new AbortController();
    const stopped = sender(() => {
      stop.abort(new Error('not wanted any more'));
      return Promise.reject(stop.signal.reason);
    });
    await expect(authSend(stopped.send, PUBLIC, stop.signal)('https://login.example.com/')).rejects.toThrow(
      'not wanted any more',
    );
  });

  it('is answered with its whole text, without the length it was sent with', async () => {
    const headers = { 'content-length': '3', 'content-encoding': 'gzip', 'content-type': 'application/json' };
    const { send } = sender(() => new Response('{"issuer":"x"}', { headers }));
    const response = await authSend(send, PUBLIC, never)('https://login.example.com/');
    expect(Object.fromEntries(response.headers)).toEqual({ 'content-type': 'application/json' });
    expect(await response.json()).toEqual({ issuer: 'x' });
  });
});
