import { randomBytes } from 'node:crypto';
import {
  type DpopSession,
  isStrictScopeSuperset,
  type OAuthClientInformationContext,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { HostError } from '../../../shared/errors.ts';
import type { ServerAuth } from '../../../shared/servers.ts';
import type { Credentials, StoredClient } from './credentials.ts';

/**
 * The SDK's view of one sign-in of a person: who Parley is to the authorization server, and what has to be remembered
 * between the way there and the way back. The tokens go to the credentials.
 */
export class PersonProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  /** What the browser must bring back. */
  readonly expectedState = randomBytes(32).toString('base64url');
  /** Where the person signs in; set by the first half of the flow. */
  authorizationUrl: URL | undefined;
  /** Whether plain text will do where nothing else is possible; set before the second half. */
  acceptPlain: boolean | undefined;
  readonly #auth: ServerAuth;
  readonly #credentials: Credentials;
  /** The rights that will be asked for. */
  readonly #scope: string | undefined;
  readonly #dpop: () => Promise<DpopSession | undefined>;
  #codeVerifier = '';
  #discovery: OAuthDiscoveryState | undefined;

  constructor(
    auth: ServerAuth,
    redirectUrl: string,
    credentials: Credentials,
    scope: string | undefined,
    dpop: () => Promise<DpopSession | undefined>,
  ) {
    this.redirectUrl = redirectUrl;
    this.clientMetadata = clientMetadata(redirectUrl, auth);
    if (auth.clientMetadataUrl !== undefined) this.clientMetadataUrl = auth.clientMetadataUrl;
    this.#auth = auth;
    this.#credentials = credentials;
    this.#scope = scope;
    this.#dpop = dpop;
  }

  get discovery(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  state(): string {
    return this.expectedState;
  }

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    const issuer = context?.issuer ?? '';
    const known = this.#credentials.clientOf(issuer);
    if (this.#auth.clientId !== undefined)
      return registeredByHand(this.#auth, issuer, this.#credentials.clients);
    // A registration with another redirect address, because the port was taken this time, is of no use.
    if (known?.redirect_uris && !known.redirect_uris.includes(this.redirectUrl)) return undefined;
    // Some servers only ever allow what was named at the registration.
    if (isStrictScopeSuperset(this.#scope, known?.scope) && known?.scope) return undefined;
    // A document in place of the registration, or another one than before: its address is the client's id.
    if (known && isUrl(known.client_id) && known.client_id !== this.#auth.clientMetadataUrl) return undefined;
    return known;
  }

  saveClientInformation(client: StoredClient, context?: OAuthClientInformationContext): void {
    const { clientId } = this.#auth;
    // What the person wrote into the entry stays there; only whose it is has to be remembered.
    const { client_secret: _inTheEntry, ...rest } = client;
    this.#credentials.saveClient(context?.issuer ?? '', clientId === undefined ? client : rest);
  }

  /** None: this provider is asked when what there was is of no use. */
  tokens(): undefined {
    return undefined;
  }

  saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): void {
    this.#credentials.saveTokens(context?.issuer ?? '', tokens, this.acceptPlain);
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(codeVerifier: string): void {
    this.#codeVerifier = codeVerifier;
  }

  codeVerifier(): string {
    return this.#codeVerifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  dpop(): Promise<DpopSession | undefined> {
    return this.#dpop();
  }

  /** The SDK has been told that the client, or its tokens, are not known there any more. */
  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    const issuer = this.#discovery?.authorizationServerMetadata?.issuer;
    if (issuer === undefined) return;
    if (scope === 'client' || scope === 'all') this.#credentials.forgetClient(issuer);
    if (scope === 'tokens' || scope === 'all') this.#credentials.forgetTokens(issuer);
  }
}

/** What Parley says of itself when it registers. */
export function clientMetadata(redirectUrl: string, auth: ServerAuth): OAuthClientMetadata {
  return {
    client_name: 'Parley',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: auth.clientSecret === undefined ? 'none' : 'client_secret_basic',
    application_type: 'native',
    ...(auth.scope === undefined ? {} : { scope: auth.scope }),
  };
}

/**
 * A client that was registered by hand belongs to one authorization server: the one that the entry names, or else the
 * one that it was first used with.
 * @throws HostError when it is another one now
 */
export function registeredByHand(
  { clientId = '', clientSecret, issuer }: ServerAuth,
  present: string,
  clients: readonly StoredClient[],
): StoredOAuthClientInformation {
  const bound = issuer ?? clients.find(client => client.client_id === clientId)?.issuer;
  if (bound !== undefined && withoutSlash(bound) !== withoutSlash(present))
    throw new HostError(
      'auth.issuer',
      `The server sends sign-ins to ${present} now, but the client “${clientId}” belongs to ${bound}.`,
      'Nothing was sent there. If the change is right, register a client there and change the entry under Edit.',
    );
  return {
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    ...(bound === undefined ? {} : { issuer: present }),
  };
}

function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '');
}

function isUrl(id: string): boolean {
  return id.startsWith('https://');
}
