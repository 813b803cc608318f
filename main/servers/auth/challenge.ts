import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';

/** What a server said when it refused a request for want of a sign-in, or of rights. */
export interface Challenge {
  /** unauthorized: the token is missing or not accepted. insufficientScope: it does not reach far enough. */
  kind: 'unauthorized' | 'insufficientScope';
  resourceMetadataUrl?: URL;
  scope?: string;
  /** Tokens have to be bound to a key (RFC 9449). */
  dpop: boolean;
}

/** Undefined when the answer is no such refusal. */
export function challengeOf(response: Response): Challenge | undefined {
  const { status, headers } = response;
  if (status !== 401 && status !== 403) return undefined;
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  if (status === 403 && error !== 'insufficient_scope') return undefined;
  return {
    kind: status === 401 ? 'unauthorized' : 'insufficientScope',
    ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
    ...(scope === undefined ? {} : { scope }),
    dpop: /(^|,)\s*dpop\b/i.test(headers.get('www-authenticate') ?? ''),
  };
}
