import {
  discoverOAuthServerInfo,
  type OAuthMetadata,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client';
import type { ServerAuth } from '../../../shared/servers.ts';
import type { Send } from '../types.ts';
import type { Credentials } from './credentials.ts';

/**
 * Asks the authorization server of the tokens in use to take them back (RFC 7009), where it offers that. The refresh
 * token first: with it, it takes back what came of it.
 * @throws when it cannot be asked or refuses; the tokens should be forgotten all the same
 */
export async function revokeTokens(
  { clientId, clientSecret }: ServerAuth,
  credentials: Credentials,
  serverUrl: string,
  send: Send,
): Promise<void> {
  const { issuer, tokens } = credentials;
  const { authorizationServerMetadata } = await discoverOAuthServerInfo(serverUrl, { fetchFn: send });
  // The other form, OpenID's, has these members too.
  const metadata = authorizationServerMetadata as OAuthMetadata | undefined;
  if (!tokens || !metadata?.revocation_endpoint || metadata.issuer !== issuer) return;
  const known = credentials.clientOf(issuer);
  const client = {
    client_id: clientId ?? known?.client_id ?? '',
    client_secret: clientSecret ?? known?.client_secret,
  };
  const method = selectClientAuthMethod(client, metadata.revocation_endpoint_auth_methods_supported ?? []);
  for (const [hint, token] of [
    ['refresh_token', tokens.refresh_token],
    ['access_token', tokens.access_token],
  ] as const) {
    if (token === undefined) continue;
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
    const body = new URLSearchParams({ token, token_type_hint: hint });
    if (method === 'client_secret_basic') {
      headers.set('authorization', basic(client.client_id, client.client_secret ?? ''));
    } else {
      body.set('client_id', client.client_id);
      if (method === 'client_secret_post') body.set('client_secret', client.client_secret ?? '');
    }
    const response = await send(metadata.revocation_endpoint, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The authorization server answered ${response.status}.`);
  }
}

function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;
}
