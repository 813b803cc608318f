import {
  type DpopSession,
  discoverOAuthServerInfo,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
} from '@modelcontextprotocol/client';
import type { ServerAuth } from '../../../shared/servers.ts';
import type { Send } from '../types.ts';
import type { Challenge } from './challenge.ts';
import type { Credentials } from './credentials.ts';
import { registeredByHand } from './personProvider.ts';

export interface Renewing {
  serverUrl: string;
  auth: ServerAuth;
  credentials: Credentials;
  challenge: Challenge | undefined;
  /** For requests to the authorization server. */
  send: Send;
  dpop(): Promise<DpopSession | undefined>;
}

/**
 * Gets fresh tokens with the refresh token, at the authorization server that the server names now. Returns whether
 * there are any; they are in the credentials then. Without them, or when that server does not know the old ones any
 * more, the person has to sign in.
 * @throws HostError when the authorization server cannot be asked: that is no reason to sign anybody out
 */
export async function renewTokens(renewing: Renewing): Promise<boolean> {
  const { serverUrl, auth, credentials, challenge, send, dpop } = renewing;
  if (credentials.tokens?.refresh_token === undefined) return false;
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } =
    await discoverOAuthServerInfo(serverUrl, {
      fetchFn: send,
      ...(challenge?.resourceMetadataUrl ? { resourceMetadataUrl: challenge.resourceMetadataUrl } : {}),
    });
  const issuer = authorizationServerMetadata?.issuer ?? authorizationServerUrl;
  const refreshToken = credentials.tokensOf(issuer)?.refresh_token;
  const client =
    auth.clientId === undefined
      ? credentials.clientOf(issuer)
      : registeredByHand(auth, issuer, credentials.clients);
  if (refreshToken === undefined || !client) return false;
  try {
    const tokens = await refreshAuthorization(authorizationServerUrl, {
      ...(authorizationServerMetadata ? { metadata: authorizationServerMetadata } : {}),
      ...(resourceMetadata ? { resource: resourceMetadata.resource } : {}),
      ...optional('dpop', await dpop()),
      clientInformation: client,
      refreshToken,
      fetchFn: send,
    });
    credentials.saveTokens(issuer, { ...tokens, issuer });
    return true;
  } catch (error) {
    if (!(error instanceof OAuthError) || isPassing(error)) throw error;
    credentials.reload();
    // Somebody else on the same data has been quicker: only what was refused is of no use any more.
    if (credentials.tokensOf(issuer)?.refresh_token !== refreshToken) return credentials.tokens !== undefined;
    credentials.forgetTokens(issuer);
    if (isUnknownClient(error)) credentials.forgetClient(issuer);
    return false;
  }
}

/** It says nothing about the tokens. */
function isPassing({ code }: OAuthError): boolean {
  const { ServerError, TemporarilyUnavailable, TooManyRequests } = OAuthErrorCode;
  return [ServerError, TemporarilyUnavailable, TooManyRequests].some(passing => passing === code);
}

function isUnknownClient({ code }: OAuthError): boolean {
  return code === OAuthErrorCode.InvalidClient || code === OAuthErrorCode.UnauthorizedClient;
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}
