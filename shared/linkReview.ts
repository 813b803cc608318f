import { isLookAlike } from './lookAlike.ts';

/**
 * What a person must see of an address before it is opened (specification page client/elicitation, URL mode): all of
 * it, which site it leads to, and what is suspicious about it.
 */
export interface LinkReview {
  /** The address as a browser understands it, in three pieces; `host` is where it leads. */
  before: string;
  host: string;
  after: string;
  /** Whole sentences. */
  warnings: string[];
  /** Why it cannot be opened at all. */
  blocked?: string;
}

/**
 * Never throws: an address that is none is `blocked`.
 * @param serverHost where the server is itself that gave the address
 */
export function reviewLink(address: string, serverHost?: string): LinkReview {
  const url = parse(address);
  if (!url)
    return {
      before: address,
      host: '',
      after: '',
      warnings: [],
      blocked: 'This is not a valid web address.',
    };
  const at = url.href.indexOf(url.host, url.protocol.length + 2 + userInfo(url).length);
  const pieces = {
    before: url.href.slice(0, at),
    host: url.hostname,
    after: url.href.slice(at + url.hostname.length),
  };
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return {
      before: url.href,
      host: '',
      after: '',
      warnings: [],
      blocked: `Only web pages can be opened, and “${url.protocol}” is none.`,
    };
  return { ...pieces, warnings: warningsFor(url, serverHost) };
}

/** A longer one hides what matters where nobody reads on. */
const LONG = 500;

function warningsFor(url: URL, serverHost: string | undefined): string[] {
  const local = isLoopback(url.hostname);
  return [
    ...(userInfo(url) === ''
      ? []
      : ['The part before the @ is a user name, not the site. Such addresses are often made to deceive.']),
    ...(url.hostname.split('.').some(label => label.startsWith('xn--'))
      ? ['The name of the site is written with special letters, which can imitate another site.']
      : []),
    ...(serverHost !== undefined && isLookAlike(url.hostname, serverHost)
      ? [`The site looks like the server's own, ${serverHost}, but it is another one.`]
      : []),
    ...(url.protocol === 'http:' && !local
      ? ['The connection is not encrypted: others on the way can read and change what you see and type.']
      : []),
    ...(local ? ['The page is served by a program on this computer.'] : []),
    ...(!local && isAddress(url.hostname) ? ['The site is given by a number instead of a name.'] : []),
    ...(url.href.length > LONG
      ? [`The address is unusually long: ${url.href.length.toLocaleString('en')} characters.`]
      : []),
  ];
}

/** `user:password@`, or nothing. */
function userInfo(url: URL): string {
  if (url.username === '' && url.password === '') return '';
  return `${url.username}${url.password === '' ? '' : `:${url.password}`}@`;
}

/** A name or number of this very computer; the URL parser has already made every spelling of 127.1 canonical. */
function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}

function parse(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}
