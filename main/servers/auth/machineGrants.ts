import {
  createPrivateKeyJwtAuth,
  discoverAndRequestJwtAuthGrant,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  requestJwtAuthorizationGrant,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { HostError } from '../../../shared/errors.ts';
import type { ServerAuth } from '../../../shared/servers.ts';
import type { Send } from '../types.ts';
import { registeredByHand } from './personProvider.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * The SDK's view of a client that gets its tokens without anybody signing in; undefined when the person does that.
 * @throws HostError when the entry lacks what its grant needs
 */
export function machineProvider(auth: ServerAuth, send: Send): MachineProvider | undefined {
  switch (auth.grant) {
    case undefined:
    case 'authorization_code':
      return undefined;
    case 'client_credentials':
      return clientCredentials(auth);
    case 'jwt_bearer':
      return new MachineProvider(need(auth, 'clientId'), 'none', scope =>
        parameters({ grant_type: JWT_BEARER, assertion: need(auth, 'assertion').assertion, scope }),
      );
    case 'enterprise':
      return enterprise(auth, send);
  }
}

/** @see the OAuth client credentials extension of the protocol */
function clientCredentials(auth: ServerAuth): MachineProvider {
  const ask = (scope?: string) => parameters({ grant_type: 'client_credentials', scope });
  if (auth.privateKey === undefined)
    return new MachineProvider(need(auth, 'clientId', 'clientSecret'), 'client_secret_basic', ask);
  const { clientId, privateKey, algorithm } = need(auth, 'clientId', 'privateKey', 'algorithm');
  const provider = new MachineProvider({ ...auth, clientId }, 'private_key_jwt', ask);
  provider.addClientAuthentication = createPrivateKeyJwtAuth({
    issuer: clientId,
    subject: clientId,
    privateKey,
    alg: algorithm,
  });
  return provider;
}

/** @see the enterprise-managed authorization extension of the protocol */
function enterprise(auth: ServerAuth, send: Send): MachineProvider {
  const needed = need(auth, 'clientId', 'clientSecret', 'idp');
  const { idp } = needed;
  return new MachineProvider(needed, 'client_secret_basic', async (scope, { issuer, resource }) => {
    if (resource === undefined)
      throw new HostError(
        'auth.config',
        'The server does not say which resource it is, and the identity provider vouches for known ones only.',
        'Ask whoever runs it: it needs protected resource metadata (RFC 9728).',
      );
    const wanted = {
      audience: issuer,
      resource,
      idToken: idp.idToken,
      clientId: idp.clientId,
      ...(idp.clientSecret === undefined ? {} : { clientSecret: idp.clientSecret }),
      ...(scope === undefined ? {} : { scope }),
      fetchFn: send,
    };
    const { jwtAuthGrant } =
      idp.tokenEndpoint === undefined
        ? await discoverAndRequestJwtAuthGrant({ ...wanted, idpUrl: idp.issuer })
        : await requestJwtAuthorizationGrant({ ...wanted, tokenEndpoint: idp.tokenEndpoint });
    return parameters({ grant_type: JWT_BEARER, assertion: jwtAuthGrant, scope });
  });
}

type Prepare = (
  scope: string | undefined,
  target: { issuer: string; resource: string | undefined },
) => URLSearchParams | Promise<URLSearchParams>;

/** Tokens that can always be had anew live in memory only. */
export class MachineProvider implements OAuthClientProvider {
  readonly redirectUrl = undefined;
  readonly clientMetadata: OAuthClientMetadata;
  addClientAuthentication?: NonNullable<OAuthClientProvider['addClientAuthentication']>;
  dpop?: NonNullable<OAuthClientProvider['dpop']>;
  readonly #auth: ServerAuth;
  readonly #prepare: Prepare;
  /** The first one that it is used with, where the entry names none. */
  #issuer: string | undefined;
  #resource: string | undefined;
  #tokens: StoredOAuthTokens | undefined;

  constructor(auth: ServerAuth, method: string, prepare: Prepare) {
    this.#auth = auth;
    this.#prepare = prepare;
    this.clientMetadata = {
      client_name: 'Parley',
      redirect_uris: [],
      token_endpoint_auth_method: method,
      ...(auth.scope === undefined ? {} : { scope: auth.scope }),
    };
  }

  clientInformation(context?: { issuer: string }) {
    this.#issuer ??= this.#auth.issuer ?? context?.issuer ?? '';
    return registeredByHand({ ...this.#auth, issuer: this.#issuer }, context?.issuer ?? this.#issuer, []);
  }

  saveResourceUrl(resource: string) {
    this.#resource = resource;
  }

  async prepareTokenRequest(scope?: string) {
    return this.#prepare(scope, { issuer: this.#issuer ?? '', resource: this.#resource });
  }

  tokens() {
    return this.#tokens;
  }

  saveTokens(tokens: StoredOAuthTokens) {
    this.#tokens = tokens;
  }

  redirectToAuthorization(): never {
    throw new Error('Bug: nobody signs in for this grant.');
  }

  saveCodeVerifier(): void {}

  codeVerifier(): never {
    throw new Error('Bug: nobody signs in for this grant.');
  }
}

function parameters(values: Record<string, string | undefined>): URLSearchParams {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given);
}

type Needed<K extends keyof ServerAuth> = ServerAuth & { [P in K]-?: NonNullable<ServerAuth[P]> };

function need<K extends keyof ServerAuth>(auth: ServerAuth, ...keys: K[]): Needed<K> {
  const missing = keys.find(key => auth[key] === undefined);
  if (missing === undefined) return auth as Needed<K>;
  throw new HostError(
    'auth.config',
    `The entry says "grant": "${auth.grant}", which needs "${missing}" beside it under "auth".`,
    'Add it under Edit, or in servers.json.',
  );
}
