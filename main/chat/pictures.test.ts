import { describe, expect, it } from 'vitest';
import { PrivateAddress } from '../network/publicLookup.ts';
import { Pictures } from './pictures.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const signal = new AbortController().signal;

/** Pictures on an internet that has these addresses. */
function pictures(internet: Record<string, () => Response>, alwaysFrom: string[] = []) {
  const asked: string[] = [];
  const send = async (url: URL, init: RequestInit) => {
    asked.push(url.href);
    expect(Object.keys(init.headers ?? {})).toEqual(['accept']);
    const answer = internet[url.href];
    if (!answer) throw new TypeError('fetch failed', { cause: new PrivateAddress(url.hostname) });
    return answer();
  };
  const load = (url: string, once: boolean) =>
    new Pictures({ send, alwaysFrom: () => alwaysFrom }).load(url, { once, signal });
  return { load, asked };
}

const picture = () => new Response(PNG);
const redirect = (location: string) => () => new Response(null, { status: 302, headers: { location } });

describe('a picture of an answer', () => {
  it('is fetched for the one who asks for it, or from a host that is always allowed', async () => {
    const internet = { 'https://a.example/x': picture };
    const loaded = { mimeType: 'image/png', data: PNG.toString('base64') };
    expect(await pictures(internet).load('https://a.example/x', true)).toEqual(loaded);
    expect(await pictures(internet, ['a.example']).load('https://a.example/x', false)).toEqual(loaded);
  });

  it('is not asked for without consent, nor from another port of the host', async () => {
    const { load, asked } = pictures({ 'https://a.example:8443/x': picture }, ['a.example']);
    await expect(load('https://a.example:8443/x', false)).rejects.toThrow('not shown without your consent');
    expect(asked).toEqual([]);
  });

  it.each(['http://a.example/x', 'file:///etc/passwd', 'https://me:secret@a.example/x', 'x'])(
    'is not fetched from %s',
    async address => {
      const { load, asked } = pictures({}, ['a.example']);
      await expect(load(address, true)).rejects.toThrow('https addresses only');
      expect(asked).toEqual([]);
    },
  );

  it('follows a redirect only to where the person would let it go', async () => {
    const internet = {
      'https://a.example/x': redirect('/y'),
      'https://a.example/y': redirect('https://b.example/z'),
      'https://b.example/z': picture,
      'https://a.example/plain': redirect('http://a.example/x'),
      'https://a.example/loop': redirect('https://a.example/loop'),
    };
    await expect(pictures(internet).load('https://a.example/x', true)).rejects.toThrow(
      'sends on to b.example',
    );
    const { load, asked } = pictures(internet, ['b.example']);
    expect((await load('https://a.example/x', true)).mimeType).toBe('image/png');
    expect(asked).toHaveLength(3);
    await expect(load('https://a.example/plain', true)).rejects.toThrow('https addresses only');
    await expect(load('https://a.example/loop', true)).rejects.toThrow('from one address to the next');
  });

  it.each<[string, () => Response]>([
    ['the answer is 404', () => new Response(PNG, { status: 404 })],
    [
      'it is no PNG',
      () =>
        new Response('<svg xmlns="http://www.w3.org/2000/svg"/>', {
          headers: { 'content-type': 'image/png' },
        }),
    ],
    ['more than 10 MB', () => new Response(Buffer.concat([PNG, Buffer.alloc(11 * 1024 * 1024)]))],
  ])('is none where %s', async (why, answer) => {
    await expect(
      pictures({ 'https://a.example/x': answer }).load('https://a.example/x', true),
    ).rejects.toThrow(why);
  });

  it('is not fetched from the network that the person is in', async () => {
    await expect(pictures({}).load('https://inside.example/x', true)).rejects.toThrow('your own network');
  });
});
