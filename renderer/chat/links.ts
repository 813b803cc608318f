const OPENED = new Set(['http:', 'https:', 'mailto:']);

/** The address a link may open, in the form a browser understands; undefined for everything that stays text. */
export function openableAddress(href: string | undefined): string | undefined {
  // An address without a scheme would be taken as one of our own pages.
  if (!href || !/^[a-z][a-z0-9+.-]*:/i.test(href) || !URL.canParse(href)) return undefined;
  const url = new URL(href);
  return OPENED.has(url.protocol) ? url.href : undefined;
}

/** The true host, where the text of a link looks like an address that leads elsewhere. */
export function disguisedHost(text: string, address: string): string | undefined {
  const url = new URL(address);
  const claimed = CLAIM.exec(text.trim())?.[1];
  if (!claimed || url.protocol === 'mailto:') return undefined;
  const asUrl = `https://${claimed}`;
  const claimedHost = URL.canParse(asUrl) ? new URL(asUrl).hostname : claimed;
  return withoutWww(claimedHost) === withoutWww(url.hostname) ? undefined : url.hostname;
}

/** A bare host at the start, or one behind `https://` or `www.` anywhere. */
const CLAIM =
  /(?:^|\bhttps?:\/\/|\b(?=www\.))(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,}|\d+(?:\.\d+){3})/iu;

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}
