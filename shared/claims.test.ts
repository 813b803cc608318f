import { describe, expect, it } from 'vitest';
import { claimsOf } from './claims.ts';

describe("a server's claims about a tool", () => {
  it('are only those that it makes', () => {
    expect(claimsOf(undefined)).toEqual([]);
    expect(claimsOf({ title: 'A tool' })).toEqual([]);
    expect(claimsOf({ readOnlyHint: false, destructiveHint: true })).toEqual([
      'changes things',
      'may destroy or overwrite',
    ]);
  });

  it('of destruction mean nothing for a tool that only reads', () => {
    expect(claimsOf({ readOnlyHint: true, destructiveHint: true, openWorldHint: true })).toEqual([
      'read-only',
      'reaches outside systems',
    ]);
  });
});
