/** What a server said when it refused a request for want of a sign-in, or of rights. */
export interface Challenge {
  /**
   * unauthorized: the token is missing or not accepted. insufficientScope: it does not reach far enough. foreign: the
   * server wants something else than tokens.
   */
  kind: 'unauthorized' | 'insufficientScope' | 'foreign';
  resourceMetadataUrl?: URL;
  scope?: string;
  /** Tokens have to be bound to a key (RFC 9449). */
  dpop: boolean;
  /** What the server wants, such as `Negotiate`. */
  schemes: string[];
}

/** Undefined when the answer is no such refusal. */
export function challengeOf({ status, headers }: Response): Challenge | undefined {
  if (status !== 401 && status !== 403) return undefined;
  const challenges = challengesIn(headers.get('www-authenticate') ?? '');
  const ours = challenges.filter(({ scheme }) => /^(bearer|dpop)$/i.test(scheme));
  const {
    resource_metadata: metadata = '',
    scope,
    error,
  } = Object.assign({}, ...ours.map(one => one.params));
  if (status === 403 && error !== 'insufficient_scope') return undefined;
  // Without any challenge there may still be a sign-in: where to look for it is agreed on.
  const isForeign = challenges.length > 0 && ours.length === 0;
  return {
    kind: isForeign ? 'foreign' : status === 401 ? 'unauthorized' : 'insufficientScope',
    ...(URL.canParse(metadata) ? { resourceMetadataUrl: new URL(metadata) } : {}),
    ...(scope ? { scope } : {}),
    dpop: ours.some(({ scheme }) => /^dpop$/i.test(scheme)),
    schemes: challenges.map(({ scheme }) => scheme),
  };
}

interface OneChallenge {
  scheme: string;
  params: Record<string, string>;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** Commas part challenges as well as their parameters, and may stand within quotes. */
const PART = /(?:[^,"]|"(?:[^"\\]|\\.)*")+/g;
const PARAMETER = new RegExp(`^(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${TOKEN}|\\S+))$`);
const BEGINNING = new RegExp(`^(${TOKEN})(?:\\s+(.*))?$`, 's');

/**
 * The challenges of a header, which may hold several. The SDK reads the first one only.
 * @see RFC 9110, section 11.6.1
 */
function challengesIn(header: string): OneChallenge[] {
  const challenges: OneChallenge[] = [];
  const take = (part: string): boolean => {
    const [, name, quoted, plain] = PARAMETER.exec(part) ?? [];
    const params = challenges.at(-1)?.params;
    if (name && params) params[name.toLowerCase()] ??= quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
    return Boolean(name && params);
  };
  for (const [match] of header.slice(0, MAX_LENGTH).matchAll(PART)) {
    const part = match.trim();
    if (take(part)) continue;
    const [, scheme, first = ''] = BEGINNING.exec(part) ?? [];
    if (!scheme) continue;
    challenges.push({ scheme, params: {} });
    take(first.trim());
  }
  return challenges;
}

const MAX_LENGTH = 16_000;
