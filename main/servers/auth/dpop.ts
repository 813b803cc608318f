import { DpopSession, generateDpopKeyPair } from '@modelcontextprotocol/client';
import type { Credentials } from './credentials.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };

/**
 * The key that tokens of the kind DPoP are bound to (RFC 9449). It is kept with the tokens: without it they would be
 * worth nothing after a restart.
 */
export async function openDpopSession(credentials: Credentials): Promise<DpopSession> {
  const kept = credentials.dpopKey as JsonWebKey | undefined;
  if (kept) return DpopSession.create({ keyPair: await importPair(kept) });
  const keyPair = await generateDpopKeyPair({ alg: 'ES256', extractable: true });
  credentials.saveDpopKey(await crypto.subtle.exportKey('jwk', keyPair.privateKey));
  return DpopSession.create({ keyPair });
}

type KeyPair = Awaited<ReturnType<typeof generateDpopKeyPair>>;

async function importPair({ d, ...rest }: JsonWebKey): Promise<KeyPair> {
  const { kty, crv, x, y } = rest;
  const publicJwk = { kty, crv, x, y } as KeyPair['publicJwk'];
  // The members and their order are those of RFC 7638, which defines the thumbprint.
  const thumbed = new TextEncoder().encode(JSON.stringify({ crv, kty, x, y }));
  return {
    privateKey: await importKey({ ...publicJwk, d } as JsonWebKey, 'sign'),
    publicKey: await importKey(publicJwk as JsonWebKey, 'verify'),
    publicJwk,
    thumbprint: Buffer.from(await crypto.subtle.digest('SHA-256', thumbed)).toString('base64url'),
    alg: 'ES256',
  };
}

function importKey(jwk: JsonWebKey, use: 'sign' | 'verify') {
  return crypto.subtle.importKey('jwk', jwk, ALGORITHM, use === 'verify', [use]);
}
