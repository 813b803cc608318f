import {
  auth as authorize,
  type DpopSession,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { HostError } from '../../../shared/errors.ts';
import type { ServerAuth } from '../../../shared/servers.ts';
import type { AskContext, AskingServer } from '../asking.ts';
import type { Send } from '../types.ts';
import { notSignedIn } from './authFailures.ts';
import type { Challenge } from './challenge.ts';
import type { Credentials } from './credentials.ts';
import { PersonProvider } from './personProvider.ts';
import { listenForRedirect, type Redirect } from './redirect.ts';

/** How long the person may take in their browser. */
const SIGN_IN_MS = 10 * 60_000;

export interface SigningIn {
  server: AskingServer;
  serverUrl: string;
  auth: ServerAuth;
  credentials: Credentials;
  challenge: Challenge | undefined;
  /** The rights to ask for: those of the tokens in use and those that the server misses; undefined: the SDK chooses. */
  scope: string | undefined;
  /** For requests to the authorization server. */
  send: Send;
  dpop(): Promise<DpopSession | undefined>;
  canEncrypt: boolean;
  about: AskContext;
}

/**
 * Has the person sign in, in their browser and only after they agreed. The tokens are in the credentials then.
 * @throws HostError when they did not, or it did not work
 */
export async function signIn(signingIn: SigningIn): Promise<void> {
  const { serverUrl, auth, credentials, challenge, scope, send, dpop } = signingIn;
  const redirect = await listenForRedirect(portsFor(auth, credentials));
  try {
    const provider = new PersonProvider(auth, redirect.url, credentials, scope, dpop);
    const options = {
      serverUrl,
      fetchFn: send,
      ...(scope === undefined ? {} : { scope }),
      ...(challenge?.resourceMetadataUrl ? { resourceMetadataUrl: challenge.resourceMetadataUrl } : {}),
    };
    await authorize(provider, options);
    const params = await visit(provider, redirect, signingIn);
    const { code, iss } = answerOf(params, provider);
    await authorize(provider, { ...options, authorizationCode: code, ...(iss === undefined ? {} : { iss }) });
  } finally {
    await redirect.close();
  }
}

function portsFor(
  { redirectPort }: ServerAuth,
  credentials: Credentials,
): { fixed?: number; wished?: number } {
  if (redirectPort !== undefined) return { fixed: redirectPort };
  const registered = credentials.clients.flatMap(client => client.redirect_uris ?? []).at(-1);
  return registered === undefined ? {} : { wished: Number(new URL(registered).port) };
}

/** Asks, opens the page, and waits until the browser comes back. */
async function visit(
  provider: PersonProvider,
  redirect: Redirect,
  { server, serverUrl, challenge, canEncrypt, about }: SigningIn,
): Promise<URLSearchParams> {
  const url = provider.authorizationUrl;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new HostError('auth.failed', 'The authorization server has no page to sign in on.');
  const question = {
    server: server.name,
    url: url.href,
    ...(about.conversationId === undefined ? {} : { conversationId: about.conversationId }),
  };
  const scope = url.searchParams.get('scope');
  const { asks } = server;
  return about.pause(async () => {
    const agreed = await asks.ask(
      {
        ...question,
        kind: 'signIn',
        serverUrl,
        canEncrypt,
        ...(scope ? { scope } : {}),
        ...(challenge?.kind === 'insufficientScope' ? { more: true } : {}),
      },
      about.signal,
    );
    if (agreed.action !== 'open') throw notSignedIn(server.name);
    provider.acceptPlain = agreed.acceptPlain;
    const callback = redirect.callback(provider.expectedState);
    await server.openExternal(url.href);
    return returned(callback, again => asks.ask({ ...question, kind: 'signInWaiting' }, again), {
      signal: about.signal,
      openAgain: () => server.openExternal(url.href),
      server: server.name,
    });
  });
}

/** The first of: the browser's return, the person's cancelling, the end of the time. */
async function returned(
  callback: Promise<URLSearchParams>,
  ask: (signal: AbortSignal) => Promise<{ action: 'openAgain' | 'cancel' }>,
  { signal, openAgain, server }: { signal: AbortSignal; openAgain(): Promise<void>; server: string },
): Promise<URLSearchParams> {
  const back = new AbortController();
  const timeUp = AbortSignal.timeout(SIGN_IN_MS);
  const waiting = AbortSignal.any([signal, back.signal, timeUp]);
  const given = async () => {
    while ((await ask(waiting)).action === 'openAgain') await openAgain();
    if (timeUp.aborted)
      throw new HostError('auth.timeout', 'The sign-in was not finished in ten minutes.', 'Try it again.');
    throw notSignedIn(server);
  };
  const givenUp = given();
  givenUp.catch(() => undefined); // It also ends when the browser is back.
  try {
    return await Promise.race([callback, givenUp]);
  } finally {
    back.abort();
  }
}

/**
 * The code that the browser brought. Whose answer it is comes first: before that, not even its error text is to be
 * believed (RFC 9207).
 */
function answerOf(params: URLSearchParams, { discovery }: PersonProvider): { code: string; iss?: string } {
  const iss = params.get('iss') ?? undefined;
  const metadata = discovery?.authorizationServerMetadata;
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const code = params.get('code');
  if (code) return { code, ...(iss === undefined ? {} : { iss }) };
  const said = (params.get('error_description') ?? params.get('error') ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, 300);
  throw new HostError(
    'auth.refused',
    `The authorization server did not let you in: ${said}`,
    'Try it again.',
  );
}
