import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { HostError } from '../../shared/errors.ts';

/** Why an HTTP server could not be reached or used, in words, with a next step. */
export function explainHttpFailure(error: unknown, url: string): HostError {
  const host = new URL(url).host;
  const status = httpStatus(error);
  if (status !== undefined) return explainStatus(status, host, error);
  const code = networkCode(error);
  if (code === 'ECONNREFUSED') {
    return new HostError(
      'server.refused',
      `Nothing answers at ${host}: the connection was refused.`,
      'Is the server running, and is the port right?',
      { cause: error },
    );
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new HostError(
      'server.dns',
      `The name ${host} could not be found.`,
      'Check the address and your network.',
      { cause: error },
    );
  }
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT' || isTimeout(error)) {
    return new HostError(
      'server.timeout',
      `${host} did not answer in time.`,
      'Try Restart; if it stays so, ask whoever runs the server.',
      { cause: error },
    );
  }
  if (code?.startsWith('ERR_TLS') || code?.includes('CERT') || code === 'EPROTO') {
    return new HostError(
      'server.tls',
      `The secure connection to ${host} failed: ${code}.`,
      'The certificate of the server is not valid for this machine.',
      { cause: error },
    );
  }
  if (error instanceof HostError) return error;
  const message = messageOf(error);
  if (/text\/html|Unexpected content type/i.test(message)) {
    return new HostError(
      'server.webpage',
      `${host} answered with something that is not MCP (${message.slice(0, 200)}).`,
      'Is this the address of an MCP endpoint? Often it ends in /mcp.',
      { cause: error },
    );
  }
  return new HostError(
    'server.failed',
    `The connection to ${host} failed: ${message.slice(0, 300)}`,
    undefined,
    { cause: error },
  );
}

function explainStatus(status: number, host: string, error: unknown): HostError {
  const cause = { cause: error };
  if (status === 401)
    return new HostError(
      'server.unauthorized',
      `${host} wants you to be signed in (401).`,
      'Add the header that the server expects, such as Authorization, under Edit.',
      cause,
    );
  if (status === 403)
    return new HostError(
      'server.forbidden',
      `${host} refuses these credentials (403).`,
      'They are known but not allowed here: check the account and its rights.',
      cause,
    );
  if (status === 404)
    return new HostError(
      'server.notFound',
      `There is no MCP endpoint at this address on ${host} (404).`,
      'Check the path of the URL; often it is /mcp.',
      cause,
    );
  if (status >= 500)
    return new HostError(
      'server.broken',
      `${host} has a problem of its own (${status}).`,
      'Try Restart in a while.',
      cause,
    );
  return new HostError(
    'server.http',
    `${host} answered ${status}: ${messageOf(error).slice(0, 200)}`,
    'Check the URL and the headers.',
    cause,
  );
}

function httpStatus(error: unknown): number | undefined {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (current instanceof SdkHttpError) return current.data.status;
    if (
      current instanceof SdkError &&
      typeof (current.data as { status?: unknown } | undefined)?.status === 'number'
    ) {
      return (current.data as { status: number }).status;
    }
    if (current.name === 'UnauthorizedError') return 401;
  }
  return undefined;
}

function networkCode(error: unknown): string | undefined {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    const { code } = current as NodeJS.ErrnoException;
    if (
      typeof code === 'string' &&
      /^[A-Z_]+$/.test(code) &&
      !Object.values(SdkErrorCode).includes(code as SdkErrorCode)
    )
      return code;
    if (current instanceof AggregateError) return networkCode(current.errors[0]);
    const inner = (current as { data?: { cause?: unknown } }).data?.cause;
    if (inner instanceof Error) {
      const found = networkCode(inner);
      if (found) return found;
    }
  }
  return undefined;
}

export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
