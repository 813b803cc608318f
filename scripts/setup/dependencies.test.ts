import { describe, expect, it } from 'vitest';
import { isInstalled } from './dependencies.mjs';

const root = { version: '0.1.0' };
const zod = { version: '4.6.7', integrity: 'sha512-a' };

describe('isInstalled', () => {
  it('is true when every package of the lock file is there as locked', () => {
    const wanted = { packages: { '': root, 'node_modules/zod': zod } };
    expect(isInstalled(wanted, { packages: { 'node_modules/zod': { ...zod } } })).toBe(true);
  });

  it.each([
    ['nothing is installed', undefined],
    ['a package is missing', { packages: {} }],
    ['a package has another version', { packages: { 'node_modules/zod': { ...zod, version: '4.6.6' } } }],
    ['a package has another hash', { packages: { 'node_modules/zod': { ...zod, integrity: 'sha512-b' } } }],
    ['a package is left over', { packages: { 'node_modules/zod': zod, 'node_modules/old': zod } }],
  ])('is false when %s', (_, installed) => {
    expect(isInstalled({ packages: { '': root, 'node_modules/zod': zod } }, installed)).toBe(false);
  });

  it('does not miss an optional package, which may be for another platform', () => {
    const wanted = {
      packages: { 'node_modules/zod': zod, 'node_modules/@x/win32': { ...zod, optional: true } },
    };
    expect(isInstalled(wanted, { packages: { 'node_modules/zod': zod } })).toBe(true);
  });
});
