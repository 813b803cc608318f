/** What only the socket to the proxy can have failed with: the proxy itself makes the one to the server. */
const UNREACHABLE =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

/** The proxy, not the server, is why a request could not be sent. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  readonly code = 'EPROXY';

  /** The error again, unless it tells of the proxy. */
  static from(error: unknown, proxy: string): unknown {
    const cause = error instanceof TypeError ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
    if (!cause) return error;
    // Never with the name and password that may be in it.
    const { host } = new URL(proxy);
    const status = /Proxy response \((\d+)\)|Proxy Authentication Required \((407)\)/.exec(cause.message);
    const code = status?.[1] ?? status?.[2];
    if (code === '407')
      return new ProxyFailure(`The proxy ${host} wants a name and a password (407).`, { cause });
    if (code)
      return new ProxyFailure(`The proxy ${host} did not let the request through (${code}).`, { cause });
    if (!UNREACHABLE.test(cause.code ?? '')) return error;
    return new ProxyFailure(`The proxy ${host} cannot be reached (${cause.code}).`, { cause });
  }
}
