import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Clients that were registered by hand. */
export const BY_HAND = { clientId: 'by-hand', clientSecret: 'a-secret-of-at-least-thirty-two-characters' };
export const ROBOT = { clientId: 'robot', clientSecret: 'another-secret-of-thirty-two-characters' };

const SCOPES = ['offline_access', 'mcp:read', 'mcp:write'];

export type AuthServer = Awaited<ReturnType<typeof startAuthServer>>;

/**
 * A real authorization server (oidc-provider) on loopback, with pages to log in on: dynamic registration, PKCE,
 * resource indicators, rotating refresh tokens, revocation.
 */
export async function startAuthServer() {
  const http = createServer();
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    scopes: SCOPES,
    clients: [
      {
        client_id: BY_HAND.clientId,
        client_secret: BY_HAND.clientSecret,
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
      {
        client_id: ROBOT.clientId,
        client_secret: ROBOT.clientSecret,
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
      },
    ],
    features: {
      registration: { enabled: true },
      revocation: { enabled: true, allowedPolicy: async () => true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: async () => true,
        getResourceServerInfo: async () => ({ scope: SCOPES.join(' '), accessTokenFormat: 'opaque' }),
      },
    },
    findAccount: async (_context, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    ttl: {
      Session: 600,
      Grant: 600,
      Interaction: 600,
      AccessToken: 600,
      RefreshToken: 600,
      ClientCredentials: 600,
    },
  });
  /** The grants that tokens were given for, in order. */
  const grants: string[] = [];
  provider.on('grant.success', context => grants.push(String(context.oidc.params?.grant_type)));
  /** The redirect addresses of the clients that registered themselves. */
  const registered: (readonly string[])[] = [];
  provider.on('registration_create.success', (_context, client) =>
    registered.push(client.redirectUris ?? []),
  );
  /** Every request that arrived, such as `POST /token`. */
  const requests: string[] = [];
  /** And what each of them carried. */
  const headers: IncomingHttpHeaders[] = [];
  const serve = provider.callback();
  http.on('request', (request, response) => {
    requests.push(`${request.method} ${request.url?.replace(/[?].*/, '')}`);
    headers.push(request.headers);
    void serve(request, response);
  });
  return {
    issuer,
    host: new URL(issuer).host,
    grants,
    registered,
    requests,
    headers,
    /** What a token that was given to a client allows; undefined for one that is not valid. */
    async check(token: string): Promise<{ scope: string; audience: unknown } | undefined> {
      const known =
        (await provider.AccessToken.find(token)) ?? (await provider.ClientCredentials.find(token));
      return known?.isValid ? { scope: known.scope ?? '', audience: known.aud } : undefined;
    },
    async close() {
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}
