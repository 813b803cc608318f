import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import type { Secrets } from '../../ports.ts';

/** What is kept to stay signed in to one server. All of it is secret. */
interface Kept {
  /** The address that it is for: it never goes to another one. */
  url: string;
  /** The authorization server whose tokens are in use. */
  issuer?: string;
  /** How Parley is known to each authorization server, by its issuer; with the redirect address where that is fixed. */
  clients: Record<string, StoredClient>;
  /** By the issuer. */
  tokens: Record<string, StoredOAuthTokens>;
  /** When those should be renewed, by the issuer; in ms since the epoch. */
  renewAt?: Record<string, number>;
  /** The private key, a JWK, that tokens of the kind DPoP are bound to. */
  dpopKey?: object;
}

/** Tokens are renewed so long before they expire, or in the last tenth of a short life. */
const RENEWED_BEFORE_MS = 30_000;

export type StoredClient = StoredOAuthClientInformation & { redirect_uris?: string[]; scope?: string };

/** The credentials for one server, by the issuer that they belong to. */
export class Credentials {
  readonly #secrets: Secrets;
  readonly #name: string;
  readonly #url: string;
  #known: Kept | undefined;

  constructor(secrets: Secrets, server: string, url: string) {
    this.#secrets = secrets;
    this.#name = secretName(server);
    this.#url = url;
  }

  /** The tokens in use, with the issuer they came from. */
  get tokens(): StoredOAuthTokens | undefined {
    const { issuer, tokens } = this.#kept();
    return issuer === undefined ? undefined : tokens[issuer];
  }

  get issuer(): string | undefined {
    return this.#kept().issuer;
  }

  get dpopKey(): object | undefined {
    return this.#kept().dpopKey;
  }

  /** The tokens in use are about to expire, or have. */
  get shouldRenew(): boolean {
    const { issuer, renewAt } = this.#kept();
    return issuer !== undefined && Date.now() >= (renewAt?.[issuer] ?? Number.POSITIVE_INFINITY);
  }

  tokensOf(issuer: string): StoredOAuthTokens | undefined {
    return this.#kept().tokens[issuer];
  }

  clientOf(issuer: string): StoredClient | undefined {
    return this.#kept().clients[issuer];
  }

  /** Every registration of Parley, newest last. */
  get clients(): StoredClient[] {
    return Object.values(this.#kept().clients);
  }

  saveClient(issuer: string, client: StoredClient): void {
    const kept = this.#kept();
    this.#write({ ...kept, clients: { ...kept.clients, [issuer]: client } });
  }

  /** From now on these are in use. `acceptPlain`: the person agreed to plain text; absent: as it was before. */
  saveTokens(issuer: string, tokens: StoredOAuthTokens, acceptPlain?: boolean): void {
    const kept = this.#kept();
    const { [issuer]: _old, ...others } = kept.renewAt ?? {};
    const renewAt =
      tokens.expires_in === undefined ? others : { ...others, [issuer]: renewalOf(tokens.expires_in) };
    this.#write({ ...kept, issuer, tokens: { ...kept.tokens, [issuer]: tokens }, renewAt }, acceptPlain);
  }

  saveDpopKey(dpopKey: object): void {
    this.#write({ ...this.#kept(), dpopKey });
  }

  /** The registrations stay: they are no proof of anything, and are good for the next sign-in. */
  forgetTokens(issuer: string): void {
    const { [issuer]: _gone, ...tokens } = this.#kept().tokens;
    this.#write({ ...this.#kept(), tokens });
  }

  forgetClient(issuer: string): void {
    const { [issuer]: _gone, ...clients } = this.#kept().clients;
    this.#write({ ...this.#kept(), clients });
  }

  /** Another Parley on the same data may have renewed them. */
  reload(): void {
    this.#known = undefined;
  }

  #kept(): Kept {
    this.#known ??= read(this.#secrets, this.#name, this.#url);
    return this.#known;
  }

  #write(kept: Kept, acceptPlain = this.#secrets.get(this.#name)?.storage === 'plain'): void {
    this.#known = kept;
    this.#secrets.set(this.#name, JSON.stringify(kept), { acceptPlain });
  }
}

/** @param life of a token, in seconds from now */
function renewalOf(life: number): number {
  return Date.now() + life * 1000 - Math.min(RENEWED_BEFORE_MS, life * 100);
}

/** The credentials of a server that got another name. */
export function moveCredentials(secrets: Secrets, from: string, to: string): void {
  const stored = secrets.get(secretName(from));
  if (!stored) return;
  secrets.set(secretName(to), stored.value, { acceptPlain: stored.storage === 'plain' });
  secrets.delete(secretName(from));
}

export function forgetCredentials(secrets: Secrets, server: string): void {
  secrets.delete(secretName(server));
}

function secretName(server: string): string {
  return `server.auth.${server}`;
}

/** What is kept for another address is none: the person may have pointed the entry at another server. */
function read(secrets: Secrets, name: string, url: string): Kept {
  const stored = secrets.get(name);
  const kept = stored && (JSON.parse(stored.value) as Kept);
  return kept?.url === url ? kept : { url, clients: {}, tokens: {} };
}
