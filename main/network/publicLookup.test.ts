import { describe, expect, it } from 'vitest';
import { publicLookup } from './publicLookup.ts';

function find(hostname: string, ...addresses: string[]): Promise<string[]> {
  const lookup = publicLookup((_hostname, _options, callback) =>
    callback(
      null,
      addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    ),
  );
  return new Promise((resolve, reject) =>
    lookup(hostname, { all: true }, (error, found) =>
      error ? reject(error) : resolve((found as { address: string }[]).map(({ address }) => address)),
    ),
  );
}

describe('a name on the internet', () => {
  it.each(['93.184.216.34', '2606:2800:21f:cb07::1', '172.32.0.1'])('is found at %s', async address => {
    expect(await find('pictures.example', address)).toEqual([address]);
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::',
    'fd00::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
  ])('is not found at %s', async address => {
    await expect(find('pictures.example', address)).rejects.toThrow('no address on the internet');
    expect(await find('pictures.example', address, '93.184.216.34')).toEqual(['93.184.216.34']);
  });

  it('is not what is plainly this machine', async () => {
    expect(await find('localhost', '127.0.0.1')).toEqual(['127.0.0.1']);
  });
});
