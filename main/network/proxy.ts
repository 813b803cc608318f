type Env = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that the environment names for this URL (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY): its URL; `direct` where
 * NO_PROXY wants none; undefined where the environment says nothing.
 */
export function proxyFromEnvironment(url: URL, env: Env): string | undefined {
  const named = (name: string) => env[name.toLowerCase()] || env[name] || undefined;
  const proxy = named(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? named('ALL_PROXY');
  if (proxy === undefined) return undefined;
  if (isExcepted(url, named('NO_PROXY') ?? '')) return 'direct';
  return /^[a-z0-9]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

/** The first usable proxy of a list as proxy configuration scripts give it, such as `PROXY a:8080; DIRECT`. */
export function proxyFromList(list: string): string {
  for (const entry of list.split(';')) {
    const [kind = '', address] = entry.trim().split(/\s+/);
    if (kind.toUpperCase() === 'DIRECT') return 'direct';
    const scheme = SCHEMES[kind.toUpperCase()];
    if (scheme && address) return `${scheme}://${address}`;
  }
  return 'direct';
}

const SCHEMES: Record<string, string | undefined> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS5: 'socks5',
};

/** No proxy can reach what is on this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Names with their subdomains, each perhaps with a port; `*` means everything. */
function isExcepted(url: URL, list: string): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list.split(/[,\s]+/).some(entry => {
    const [, name = '', only] = /^(.+?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === '' || (only !== undefined && only !== port)) return false;
    const bare = name.replace(/^\*?\./, '');
    return name === '*' || url.hostname === bare || url.hostname.endsWith(`.${bare}`);
  });
}
