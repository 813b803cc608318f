import { withDpop } from '@modelcontextprotocol/client';
import { HostError } from '../../../shared/errors.ts';
import type { Send } from '../types.ts';
import { foreignSignIn } from './authFailures.ts';
import type { Authorizer } from './authorizer.ts';
import { challengeOf } from './challenge.ts';

/** How often one request may ask for more rights: a server that is never content must not ask for ever. */
const MAX_STEP_UPS = 2;

/**
 * Shows the tokens to the server, and to nobody else; when it refuses them, better ones are come by and the request is
 * sent again. It was refused before anything was done, so that sends nothing twice.
 * @throws HostError when there are no better ones
 */
export function authorizedSend(send: Send, authorizer: Authorizer, serverUrl: string): Send {
  const { origin, host } = new URL(serverUrl);
  return async (input, init) => {
    if (new URL(String(input)).origin !== origin) return send(input, init);
    const signal = init?.signal ?? new AbortController().signal;
    await authorizer.freshen(signal);
    let wasRefused = false;
    let stepUps = 0;
    for (;;) {
      const tokens = authorizer.tokens();
      const response = await present(tokens, send, authorizer)(input, init);
      const challenge = challengeOf(response);
      if (!challenge) return response;
      if (challenge.kind === 'insufficientScope' && ++stepUps > MAX_STEP_UPS) return response;
      await response.body?.cancel();
      if (challenge.kind === 'foreign') throw foreignSignIn(host, challenge.schemes);
      if (challenge.kind === 'unauthorized') {
        if (wasRefused) throw refusedAnew(host);
        wasRefused = true;
      }
      await authorizer.satisfy(challenge, tokens?.access_token, signal);
    }
  };
}

function present(tokens: ReturnType<Authorizer['tokens']>, send: Send, authorizer: Authorizer): Send {
  if (!tokens) return send;
  if (tokens.token_type?.toLowerCase() === 'dpop')
    return withDpop(
      () => authorizer.dpop(),
      async () => tokens.access_token,
    )(send);
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${tokens.access_token}`);
    return send(input, { ...init, headers });
  };
}

function refusedAnew(host: string): HostError {
  return new HostError(
    'auth.refused',
    `${host} does not accept the sign-in that has just been made for it (401).`,
    'Sign out and in again with another account, or ask whoever runs the server.',
  );
}
