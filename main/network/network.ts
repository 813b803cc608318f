import type { Dispatcher } from 'undici';
import type { Ports } from '../ports.ts';
import { BLOCKED_PORTS } from './blockedPorts.ts';
import { trustedAuthorities } from './certificates.ts';
import { ENCODINGS, exchange } from './exchange.ts';
import { isLoopback, proxyFromEnvironment, proxyFromList } from './proxy.ts';
import { ProxyFailure } from './proxyFailure.ts';
import { publicLookup } from './publicLookup.ts';

type Reach = 'anywhere' | 'outside';

/** How long the system's word on the proxy for an address counts. */
const PROXY_MS = 30_000;

/**
 * The way to everything that is remote: connections that are kept and used again, as many as there are requests (an
 * endless stream holds up nobody), through the proxy that the environment or the system names, trusting whom the
 * system trusts. Not Chromium's network, which the app could use: it takes four times as long as Node's `fetch` for
 * the same calls, and the command line has none.
 */
export class Network {
  readonly #ports: Pick<Ports, 'env' | 'systemProxy' | 'version'>;
  /** By proxy, scheme and reach. */
  readonly #pools = new Map<string, Promise<Dispatcher>>();
  readonly #retired = new Set<Promise<Dispatcher>>();
  readonly #proxies = new Map<string, { proxy: Promise<string>; until: number }>();
  #isClosed = false;

  constructor(ports: Pick<Ports, 'env' | 'systemProxy' | 'version'>) {
    this.#ports = ports;
  }

  /** As `fetch`, but that it follows no redirect: where one may lead is for the caller to decide. */
  readonly send = (input: string | URL, init: RequestInit = {}): Promise<Response> =>
    this.#send(input, init, 'anywhere');

  /** The same, but a name that leads to this machine or into its own networks is not found. A proxy decides for itself. */
  readonly sendOutside = (input: string | URL, init: RequestInit = {}): Promise<Response> =>
    this.#send(input, init, 'outside');

  async #send(input: string | URL, init: RequestInit, reach: Reach): Promise<Response> {
    const url = new URL(input);
    if (BLOCKED_PORTS.has(Number(url.port)))
      throw new TypeError('fetch failed', { cause: new Error('bad port') });
    const proxy = await this.#proxyFor(url);
    const pool = await this.#pool(proxy, url.protocol, reach);
    const { body, type } = await bodyOf(init.body);
    const headers = init.headers instanceof Headers ? init.headers : new Headers(init.headers);
    const request: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: init.method ?? 'GET',
      headers: {
        accept: '*/*',
        'accept-encoding': ENCODINGS,
        'user-agent': `Parley/${this.#ports.version}`,
        ...(type === null ? {} : { 'content-type': type }),
        ...Object.fromEntries(headers),
      },
      body,
      // How long is too long is for the caller to say: a call may take an hour, and a stream has no end.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    try {
      return await exchange(pool, request, init.signal);
    } catch (error) {
      throw proxy === 'direct' ? error : ProxyFailure.from(error, proxy);
    }
  }

  /**
   * After a sleep, or in another network: connections that nobody uses may be dead without knowing, and the proxy may
   * be another one. What is being sent or received goes on.
   */
  renew(): void {
    this.#proxies.clear();
    for (const pool of this.#pools.values()) {
      this.#retired.add(pool);
      void pool.then(old => old.close()).finally(() => this.#retired.delete(pool));
    }
    this.#pools.clear();
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const pools = [...this.#pools.values(), ...this.#retired];
    await Promise.all(pools.map(async pool => (await pool).destroy()));
  }

  #proxyFor(url: URL): Promise<string> | string {
    if (isLoopback(url)) return 'direct';
    const { env, systemProxy } = this.#ports;
    const named = proxyFromEnvironment(url, env);
    if (named !== undefined || !systemProxy) return named ?? 'direct';
    const known = this.#proxies.get(url.origin);
    if (known && known.until > Date.now()) return known.proxy;
    const proxy = systemProxy(url.href).then(proxyFromList);
    this.#proxies.set(url.origin, { proxy, until: Date.now() + PROXY_MS });
    return proxy;
  }

  #pool(proxy: string, scheme: string, reach: Reach): Promise<Dispatcher> {
    if (this.#isClosed) throw new TypeError('fetch failed', { cause: new Error('Parley ends.') });
    const key = `${scheme} ${proxy} ${reach}`;
    let pool = this.#pools.get(key);
    if (!pool) {
      pool = openPool(proxy, scheme, reach);
      this.#pools.set(key, pool);
    }
    return pool;
  }
}

async function openPool(proxy: string, scheme: string, reach: Reach): Promise<Dispatcher> {
  // Only who has remote servers needs the memory for it.
  const { Agent, ProxyAgent } = await import('undici');
  const secureContext = scheme === 'https:' || proxy.startsWith('https:') ? trustedAuthorities() : undefined;
  const trusted = secureContext ? { secureContext } : {};
  if (proxy === 'direct')
    return new Agent({ connect: reach === 'outside' ? { ...trusted, lookup: publicLookup() } : trusted });
  // Plain http is handed to the proxy as it is: many proxies let nothing but https pass through a tunnel.
  return new ProxyAgent({ uri: proxy, proxyTunnel: false, requestTls: trusted, proxyTls: trusted });
}

async function bodyOf(
  body: RequestInit['body'],
): Promise<{ body: string | Uint8Array | null; type: string | null }> {
  if (body == null || typeof body === 'string') return { body: body ?? null, type: null };
  // It knows what all the other kinds of bodies are made of, and called.
  const made = new Response(body);
  return { body: new Uint8Array(await made.arrayBuffer()), type: made.headers.get('content-type') };
}
