import {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import { HostError } from '../../../shared/errors.ts';
import { messageOf } from '../failures.ts';

/** The server wants a sign-in, and this is no moment to ask for it. */
export function signInRequired(url: string): HostError {
  return new HostError(
    'auth.required',
    `${new URL(url).host} wants you to be signed in (401).`,
    'Press Sign in. If it wants a key instead, add its header, such as Authorization, under Edit.',
  );
}

/** The server knows no sign-in in a browser. */
export function foreignSignIn(host: string, schemes: readonly string[]): HostError {
  const wanted = schemes.slice(0, 5).map(scheme => scheme.slice(0, 40));
  return new HostError(
    'auth.scheme',
    `${host} wants a sign-in of a kind that Parley does not have (401): ${wanted.join(', ')}.`,
    wanted.some(scheme => /^basic$/i.test(scheme))
      ? 'Add an Authorization header with “Basic” and your name and password in Base64 under Edit.'
      : 'If it takes a key too, add its header, such as Authorization, under Edit; else ask whoever runs the server.',
  );
}

export function notSignedIn(server: string): HostError {
  return new HostError('auth.declined', `The person did not sign in to “${server}”.`);
}

/** Why no tokens could be had, in words. What an authorization server says is shortened and marked as its words. */
export function explainAuthFailure(error: unknown, url: string): HostError {
  if (error instanceof HostError) return error;
  const { host } = new URL(url);
  const cause = { cause: error };
  if (error instanceof IssuerMismatchError)
    return new HostError(
      'auth.issuer',
      `The sign-in for ${host} was broken off: the answer did not come from the authorization server that was asked.`,
      'Nothing was sent to it. Somebody may stand between you and the server; tell whoever runs it.',
      cause,
    );
  if (error instanceof AuthorizationServerMismatchError)
    return new HostError(
      'auth.issuer',
      `The sign-in for ${host} was broken off: its credentials belong to another authorization server.`,
      'If the server has moved its sign-in, sign out and in again.',
      cause,
    );
  if (error instanceof InsecureTokenEndpointError)
    return new HostError(
      'auth.insecure',
      `The authorization server of ${host} does not use an encrypted connection, so nothing was sent to it.`,
      'Tell whoever runs the server.',
      cause,
    );
  if (error instanceof RegistrationRejectedError || /dynamic client registration/.test(messageOf(error)))
    return new HostError(
      'auth.registration',
      `${host} does not let Parley register itself, so you cannot sign in just like that.`,
      'Ask whoever runs it for a client id and enter it under Edit; if it wants a key, add its header there.',
      cause,
    );
  if (error instanceof OAuthError)
    return new HostError(
      'auth.refused',
      `The authorization server of ${host} refused: ${said(error.message)} (${said(error.code)})`,
      'Try to sign in again; if it stays so, ask whoever runs the server.',
      cause,
    );
  return new HostError(
    'auth.failed',
    `${host} wants you to be signed in (401), but the way to do that could not be found: ${said(messageOf(error))}`,
    'If it wants a key instead, add its header under Edit; else ask whoever runs the server.',
    cause,
  );
}

function said(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300);
}
