import { HostError } from '../../shared/errors.ts';
import { PrivateAddress } from '../network/publicLookup.ts';
import { readImage } from '../tools/imageType.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const TIME_MS = 20_000;
const MAX_REDIRECTS = 3;

interface Deps {
  /** As `fetch` without redirects, to the internet only. */
  send(url: URL, init: RequestInit): Promise<Response>;
  /** The hosts whose pictures the person always wants to see. */
  alwaysFrom(): readonly string[];
}

/**
 * The pictures that answers refer to. Whoever has one learns that it was asked for, and a model that was deceived may
 * write into the address what it knows: so each host needs the person's word, and a redirect leads only where that
 * counts. They are fetched here, and neither cookies nor the page go with the request.
 */
export class Pictures {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws HostError when there is no consent, or no picture */
  async load(address: string, { once, signal }: { once: boolean; signal: AbortSignal }) {
    let url = parse(address);
    const { host } = url;
    const mayAsk = (other: string) => (once && other === host) || this.#deps.alwaysFrom().includes(other);
    if (!mayAsk(host)) throw notAllowed(host);
    const ends = AbortSignal.any([signal, AbortSignal.timeout(TIME_MS)]);
    try {
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        const response = await this.#deps.send(url, { headers: { accept: ACCEPTED }, signal: ends });
        const next = response.headers.get('location');
        if (response.status < 300 || response.status >= 400 || next === null)
          return await read(response, host);
        await response.body?.cancel();
        url = parse(new URL(next, url).href);
        if (!mayAsk(url.host)) throw leadsAway(host, url.host);
      }
    } catch (error) {
      throw error instanceof HostError ? error : notFetched(host, error);
    }
    throw noPicture(host, 'it leads from one address to the next');
  }
}

const ACCEPTED = 'image/webp,image/png,image/jpeg,image/gif';

/** @throws HostError for everything but https */
function parse(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url;
  throw new HostError('picture.address', 'Parley shows pictures from https addresses only.');
}

async function read(response: Response, host: string): Promise<{ mimeType: string; data: string }> {
  if (!response.ok) {
    await response.body?.cancel();
    throw noPicture(host, `the answer is ${response.status}`);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    // Leaving the loop ends the connection.
    if (size > MAX_BYTES) throw noPicture(host, `it has more than ${MAX_BYTES >> 20} MB`);
    parts.push(part);
  }
  const image = readImage(Buffer.concat(parts).toString('base64'));
  if (!image) throw noPicture(host, 'it is no PNG, JPEG, GIF or WebP');
  return image;
}

function notAllowed(host: string): HostError {
  return new HostError('picture.notAllowed', `Pictures from ${host} are not shown without your consent.`);
}

function leadsAway(host: string, other: string): HostError {
  return new HostError(
    'picture.leadsAway',
    `${host} sends on to ${other}, whose pictures you have not allowed.`,
    'Open the address in your browser if you trust both.',
  );
}

function noPicture(host: string, why: string): HostError {
  return new HostError('picture.none', `There is no picture to show from ${host}: ${why}.`);
}

function notFetched(host: string, error: unknown): HostError {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (reason instanceof PrivateAddress)
    return new HostError(
      'picture.private',
      `${host} leads into your own network, so Parley asks it for nothing.`,
    );
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  return new HostError(
    'picture.notFetched',
    isLate ? `${host} did not answer in time.` : `${host} could not be reached.`,
    'Check your connection and try again.',
    { cause: error },
  );
}
