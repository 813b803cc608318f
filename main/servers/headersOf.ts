/** The headers of a request, copied only where they are not such an object already. */
export function headersOf(init: RequestInit | undefined): Headers {
  return init?.headers instanceof Headers ? init.headers : new Headers(init?.headers);
}
