import type { ServerConfig } from '../../shared/servers.ts';
import type { Ports } from '../ports.ts';
import type { AskContext, AskingServer } from './asking.ts';
import { authorizedSend } from './auth/authorizedSend.ts';
import { Authorizer } from './auth/authorizer.ts';
import { Credentials } from './auth/credentials.ts';
import type { Leases } from './leases.ts';
import { redactor } from './masking.ts';
import { forgetSecrets, resolveReferences, storedSecrets } from './references.ts';
import type { ServerLog } from './serverLog.ts';
import type { Send } from './types.ts';

export interface AccessDeps {
  config: ServerConfig;
  server: AskingServer;
  ports: Ports;
  leases: Leases;
  log: ServerLog;
  send: Send;
  /** On whose behalf the person can be asked now; undefined when nobody waits for an answer. */
  asking(): AskContext | undefined;
}

/** What it takes to be let in by one server: the secrets that its entry refers to, and the tokens of a sign-in. */
export class Access {
  readonly #deps: AccessDeps;
  #authorizer: Authorizer | undefined;

  constructor(deps: AccessDeps) {
    this.#deps = deps;
  }

  /** For the person: whether they are signed in, and the names of the secrets they gave. */
  get view(): { signedIn?: true; secrets?: string[] } {
    const { config, server, ports } = this.#deps;
    const secrets = storedSecrets(config, server.name, ports.secrets);
    return {
      ...(this.#isSignedIn() ? { signedIn: true } : {}),
      ...(secrets.length > 0 ? { secrets } : {}),
    };
  }

  /**
   * The entry with its references resolved, and the way to send to a remote server.
   * @throws HostError when something is missing and the person does not give it
   */
  async open(signal: AbortSignal): Promise<{ config: ServerConfig; send: Send }> {
    const { config: entry, server, ports, log, send } = this.#deps;
    const { asks } = server;
    const { config, secrets } = await resolveReferences(entry, { server: server.name, ports, asks, signal });
    const hide = redactor(config, secrets);
    log.redact = text => this.#authorizer?.hide(hide(text)) ?? hide(text);
    if (config.type === 'stdio' || hasOwnAuthorization(config.headers)) return { config, send };
    this.#authorizer ??= new Authorizer({ ...this.#deps, config, secrets: ports.secrets });
    return { config, send: authorizedSend(send, this.#authorizer, config.url) };
  }

  /** @throws HostError when it does not come to that */
  async signIn(signal: AbortSignal): Promise<void> {
    await this.open(signal);
    await this.#authorizer?.signIn(signal);
  }

  async signOut(signal: AbortSignal): Promise<void> {
    await this.open(signal);
    await this.#authorizer?.signOut();
  }

  forgetSecrets(): void {
    const { config, server, ports } = this.#deps;
    forgetSecrets(config, server.name, ports.secrets);
  }

  #isSignedIn(): boolean {
    const { config, server, ports } = this.#deps;
    if (this.#authorizer) return this.#authorizer.isSignedIn;
    return (
      config.type === 'http' && new Credentials(ports.secrets, server.name, config.url).tokens !== undefined
    );
  }
}

/** Whoever writes the header themselves wants no sign-in. */
function hasOwnAuthorization(headers: Record<string, string> | undefined): boolean {
  return Object.keys(headers ?? {}).some(name => name.toLowerCase() === 'authorization');
}
