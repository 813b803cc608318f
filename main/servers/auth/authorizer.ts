import {
  auth as authorize,
  computeScopeUnion,
  type DpopSession,
  isStrictScopeSuperset,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { HttpServerConfig, ServerAuth } from '../../../shared/servers.ts';
import type { Secrets } from '../../ports.ts';
import type { AskContext, AskingServer } from '../asking.ts';
import type { Leases } from '../leases.ts';
import type { ServerLog } from '../serverLog.ts';
import type { Send } from '../types.ts';
import { explainAuthFailure, signInRequired } from './authFailures.ts';
import { authSend } from './authSend.ts';
import type { Challenge } from './challenge.ts';
import { Credentials } from './credentials.ts';
import { openDpopSession } from './dpop.ts';
import { type MachineProvider, machineProvider } from './machineGrants.ts';
import { renewTokens } from './renewal.ts';
import { revokeTokens } from './revocation.ts';
import { SharedWork } from './sharedWork.ts';
import { signIn } from './signIn.ts';

const SIGN_OUT_MS = 5000;

export interface AuthorizerDeps {
  server: AskingServer;
  config: HttpServerConfig;
  secrets: Secrets;
  leases: Leases;
  log: ServerLog;
  /** How requests are sent, here to authorization servers. */
  send: Send;
  /** On whose behalf the person can be asked now; undefined when nobody waits for an answer. */
  asking(): AskContext | undefined;
}

/** Comes by the tokens for one remote server, and keeps them: by its configuration, or by asking the person. */
export class Authorizer {
  readonly #deps: AuthorizerDeps;
  readonly #auth: ServerAuth;
  readonly #credentials: Credentials;
  /** Tokens that need nobody to sign in. */
  readonly #machine: MachineProvider | undefined;
  /** However many requests are refused at the same moment: one renewal, one sign-in. */
  readonly #renewing = new SharedWork<boolean>();
  readonly #signingIn = new SharedWork<void>();
  #challenge: Challenge | undefined;
  #dpop: Promise<DpopSession> | undefined;
  /** The access token that could not be renewed before its end: the server's refusal will tell. */
  #isTooLateFor: string | undefined;

  /** @throws HostError when the entry lacks what its grant needs */
  constructor(deps: AuthorizerDeps) {
    const { config, secrets, server } = deps;
    this.#deps = deps;
    this.#auth = config.auth ?? {};
    this.#credentials = new Credentials(secrets, server.name, config.url);
    this.#machine = machineProvider(this.#auth, (input, init) =>
      this.#send(new AbortController().signal)(input, init),
    );
    if (this.#machine) this.#machine.dpop = () => this.#dpopIfWanted();
  }

  /** Whether there are tokens from a sign-in of the person. */
  get isSignedIn(): boolean {
    return !this.#machine && this.#credentials.tokens !== undefined;
  }

  /** What the next request shows to the server. */
  tokens(): StoredOAuthTokens | undefined {
    // A machine's provider has them in memory.
    return this.#machine ? this.#machine.tokens() : this.#credentials.tokens;
  }

  /** Renews tokens that are about to expire, where that needs nobody: no request has to be refused for it. */
  async freshen(signal: AbortSignal): Promise<void> {
    if (this.#machine || !this.#credentials.shouldRenew) return;
    const { access_token, refresh_token } = this.#credentials.tokens ?? {};
    if (refresh_token === undefined || access_token === this.#isTooLateFor) return;
    try {
      await this.#renewing.run(stop => this.#renew(access_token, stop), signal);
    } catch (error) {
      if (signal.aborted) throw error;
      this.#isTooLateFor = access_token;
    }
  }

  /** Hides the tokens in a text. */
  hide(text: string): string {
    const { access_token, refresh_token } = this.tokens() ?? {};
    const hidden = [access_token, refresh_token].filter(token => token !== undefined && token !== '');
    return hidden.reduce<string>((result, token) => result.replaceAll(token as string, '[hidden]'), text);
  }

  /** Signs requests with tokens that are bound to a key. */
  dpop(): Promise<DpopSession> {
    this.#dpop ??= openDpopSession(this.#credentials);
    return this.#dpop;
  }

  /**
   * Comes by tokens that may do what the server refused with the `refused` one.
   * @throws HostError when there is no way to, or only by asking the person at a moment when nobody waits for it
   */
  async satisfy(challenge: Challenge, refused: string | undefined, signal: AbortSignal): Promise<void> {
    this.#challenge = challenge;
    if (!this.#machine) this.#credentials.reload();
    // Another request, or another Parley, has been quicker.
    if (this.tokens()?.access_token !== refused) return;
    try {
      if (this.#machine) return await this.#signingIn.run(stop => this.#askMachine(stop), signal);
      if (this.#canRenew() && (await this.#renewing.run(stop => this.#renew(refused, stop), signal))) return;
      const about = this.#deps.asking();
      if (!about) throw signInRequired(this.#deps.config.url);
      // The question is over with the calls that it is asked for, whoever else waits for tokens.
      const wanted = AbortSignal.any([signal, about.signal]);
      await this.#signingIn.run(stop => this.#askPerson({ ...about, signal: stop }), wanted);
    } catch (error) {
      if (signal.aborted) throw error;
      throw explainAuthFailure(error, this.#deps.config.url);
    }
  }

  /** The person wants to sign in. @throws HostError when it did not come to that */
  async signIn(signal: AbortSignal): Promise<void> {
    const about = { conversationId: undefined, pause: <T>(work: () => Promise<T>) => work() };
    try {
      await this.#signingIn.run(
        stop => (this.#machine ? this.#askMachine(stop) : this.#askPerson({ ...about, signal: stop })),
        signal,
      );
    } catch (error) {
      throw explainAuthFailure(error, this.#deps.config.url);
    }
  }

  /** Forgets the tokens, after they were taken back where that is offered. Never fails. */
  async signOut(): Promise<void> {
    const { config, log } = this.#deps;
    const { issuer } = this.#credentials;
    if (issuer === undefined || !this.isSignedIn) return;
    try {
      const send = this.#send(AbortSignal.timeout(SIGN_OUT_MS));
      await revokeTokens(this.#auth, this.#credentials, config.url, send);
    } catch (error) {
      const { message } = explainAuthFailure(error, config.url);
      log.note(`The tokens were forgotten here, but could not be taken back: ${message}`);
    }
    this.#credentials.forgetTokens(issuer);
  }

  /** A wider scope cannot be had by renewing. */
  #canRenew(): boolean {
    const { tokens } = this.#credentials;
    return (
      this.#challenge?.kind !== 'insufficientScope' || !isStrictScopeSuperset(this.#scope(), tokens?.scope)
    );
  }

  /** A refresh token may be good for one use only, so another Parley on the same data must not use it meanwhile. */
  #renew(refused: string | undefined, signal: AbortSignal): Promise<boolean> {
    const { server, config, leases } = this.#deps;
    return leases.hold(`tokens of ${server.name}`, signal, async () => {
      this.#credentials.reload();
      if (this.tokens()?.access_token !== refused) return true;
      return renewTokens({
        serverUrl: config.url,
        auth: this.#auth,
        credentials: this.#credentials,
        challenge: this.#challenge,
        send: this.#send(signal),
        dpop: () => this.#dpopIfWanted(),
      });
    });
  }

  #askPerson(about: AskContext): Promise<void> {
    const { server, config, secrets } = this.#deps;
    return signIn({
      server,
      serverUrl: config.url,
      auth: this.#auth,
      credentials: this.#credentials,
      challenge: this.#challenge,
      scope: this.#scope(),
      send: this.#send(about.signal),
      dpop: () => this.#dpopIfWanted(),
      canEncrypt: secrets.encryption,
      about,
    });
  }

  async #askMachine(signal: AbortSignal): Promise<void> {
    if (!this.#machine) return;
    const scope = this.#scope();
    await authorize(this.#machine, {
      serverUrl: this.#deps.config.url,
      fetchFn: this.#send(signal),
      ...(scope === undefined ? {} : { scope }),
      ...(this.#challenge?.resourceMetadataUrl
        ? { resourceMetadataUrl: this.#challenge.resourceMetadataUrl }
        : {}),
    });
  }

  /** What was given and what is missed: a sign-in for more must not lose what there was. */
  #scope(): string | undefined {
    const missed = this.#challenge?.scope;
    return this.#challenge?.kind === 'insufficientScope'
      ? computeScopeUnion(this.tokens()?.scope, missed)
      : missed;
  }

  async #dpopIfWanted(): Promise<DpopSession | undefined> {
    const isBound = this.tokens()?.token_type?.toLowerCase() === 'dpop';
    return this.#challenge?.dpop || isBound ? this.dpop() : undefined;
  }

  #send(signal: AbortSignal): Send {
    return authSend(this.#deps.send, this.#deps.config.url, signal);
  }
}
