import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { challengeOf } from './challenge.ts';

const METADATA = 'https://host.example/.well-known/oauth-protected-resource/public/mcp';

function refused(challenge: string | undefined, status = 401) {
  const headers = challenge === undefined ? {} : { 'www-authenticate': challenge };
  return challengeOf(new Response(null, { status, headers }));
}

describe('the challenge of a refusal (BC-23)', () => {
  it('may be missing: where to look for a sign-in is agreed on', () => {
    expect(refused(undefined)).toEqual({ kind: 'unauthorized', dpop: false, schemes: [] });
    expect(refused(undefined, 403)).toBeUndefined();
    expect(refused('Bearer error="insufficient_scope"', 200)).toBeUndefined();
  });

  it.each([
    `Basic realm="a, b", Bearer error="invalid_token", resource_metadata="${METADATA}", scope="read write"`,
    `Bearer scope="read write" , resource_metadata = "${METADATA}",Negotiate YIIBCg==, Basic realm="Bearer x=1"`,
    `bearer resource_metadata=${METADATA}, SCOPE="read write"`,
    `Digest realm="\\"Bearer\\", scope=\\"none\\"", nonce=abc=, Bearer resource_metadata="${METADATA}", scope="read write"`,
  ])('for a token is found among others: %s', header => {
    expect(refused(header)).toMatchObject({
      kind: 'unauthorized',
      resourceMetadataUrl: new URL(METADATA),
      scope: 'read write',
      dpop: false,
    });
  });

  it('says when more rights are wanted, and when tokens have to be bound', () => {
    expect(refused('Basic realm="x", Bearer error="insufficient_scope", scope="b"', 403)).toMatchObject({
      kind: 'insufficientScope',
      scope: 'b',
    });
    expect(refused('Bearer error="other"', 403)).toBeUndefined();
    expect(refused('DPoP algs="ES256", Bearer scope="a"')).toMatchObject({ dpop: true, scope: 'a' });
    expect(refused('Bearer realm="dpop"')).toMatchObject({ dpop: false });
  });

  it.each([
    ['Negotiate', ['Negotiate']],
    ['Negotiate YIIBCg==, NTLM', ['Negotiate', 'NTLM']],
    ['Basic realm="Bearer, a=b"', ['Basic']],
  ])('may want something else than a token: %s', (header, schemes) => {
    expect(refused(header)).toMatchObject({ kind: 'foreign', schemes });
  });

  it('is read in a bounded time and never throws, whatever it is', () => {
    const piece = fc.constantFrom('Bearer', '"', '\\', ',', '=', ' ', 'a', 'scope="x"', 'resource_metadata=');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), pieces => {
        expect(refused(pieces.join('').trim())?.kind).toMatch(/unauthorized|foreign/);
      }),
    );
    const began = performance.now();
    for (const long of ['"'.repeat(15_000), 'a '.repeat(7000), '"\\'.repeat(7000), 'a='.repeat(7000)])
      refused(`Bearer ${long}`);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
