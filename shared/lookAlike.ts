/**
 * Does the name of a site imitate another one that the person trusts? Compared are the sites that somebody can own
 * (`example.com`), so that neighbours such as `login.example.com` are no imitations.
 */
export function isLookAlike(host: string, trusted: string): boolean {
  if (!isName(host) || !isName(trusted) || siteOf(host) === siteOf(trusted)) return false;
  const own = nameOf(trusted);
  if (own.length < MIN_LENGTH) return skeleton(siteOf(host)) === skeleton(siteOf(trusted));
  // `example.com.evil.test`, `example-login.test`
  if (
    skeleton(host).split(/[.-]/).includes(skeleton(own)) ||
    skeleton(host).includes(skeleton(siteOf(trusted)))
  )
    return true;
  return distance(skeleton(nameOf(host)), skeleton(own)) <= (own.length < 8 ? 1 : 2);
}

/** Shorter names are near to too many others. */
const MIN_LENGTH = 5;

/** A domain name with at least one dot, not a number. */
function isName(host: string): boolean {
  return /^[^.[\]:]+(\.[^.[\]:]+)+\.?$/.test(host) && !/^[\d.]+$/.test(host);
}

/** The part that somebody registered: two labels, three under endings such as `co.uk`. */
function siteOf(host: string): string {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.');
  const isShared =
    labels.length > 2 && /^(?:com?|net|org|gov|edu|ac|gob|or|ne|go)$/.test(labels.at(-2) ?? '');
  return labels.slice(isShared && labels.at(-1)?.length === 2 ? -3 : -2).join('.');
}

function nameOf(host: string): string {
  return siteOf(host).split('.')[0] ?? '';
}

/** What is left when characters that look alike are the same. */
function skeleton(text: string): string {
  return text
    .toLowerCase()
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/cl/g, 'd')
    .replace(/[1i|]/g, 'l')
    .replace(/0/g, 'o')
    .replace(/5/g, 's')
    .replace(/3/g, 'e')
    .replace(/8/g, 'b');
}

/** How many letters must be changed, added or taken away (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let at = 1; at <= a.length; at++) {
    const next = [at];
    for (let other = 1; other <= b.length; other++) {
      const same = a[at - 1] === b[other - 1] ? 0 : 1;
      next[other] = Math.min((row[other] ?? 0) + 1, (next[other - 1] ?? 0) + 1, (row[other - 1] ?? 0) + same);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
