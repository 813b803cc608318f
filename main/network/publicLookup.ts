import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, type LookupFunction } from 'node:net';

type Resolve = (
  hostname: string,
  options: { all: true; family?: number | undefined; hints?: number | undefined },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Finds the addresses of a name, but none on this machine or in the networks that it is in: a name on the internet that
 * leads there wants to be asked for something by somebody inside. Asked at the moment of the connection, so that the
 * answer cannot change after it was looked at.
 */
export function publicLookup(resolve: Resolve = lookup as Resolve): LookupFunction {
  return (hostname, options, callback) => {
    const { family, hints } = options;
    resolve(hostname, { all: true, family: familyNumber(family), hints }, (error, addresses) => {
      if (error) return callback(error, '');
      const open = addresses.filter(({ address }) => hostname === 'localhost' || !isPrivate(address));
      const [first] = open;
      if (!first) return callback(new PrivateAddress(hostname), '');
      return options.all ? callback(null, open) : callback(null, first.address, first.family);
    });
  };
}

/** A name that leads to this machine or into its own networks only. */
export class PrivateAddress extends Error {
  constructor(hostname: string) {
    super(`${hostname} has no address on the internet`);
  }
}

function familyNumber(family: number | 'IPv4' | 'IPv6' | undefined): number | undefined {
  return typeof family === 'string' ? Number(family.at(-1)) : family;
}

function isPrivate(address: string): boolean {
  return PRIVATE.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

/** @see https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry */
const PRIVATE = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6');
