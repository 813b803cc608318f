import { describe, expect, it, vi } from 'vitest';
import { reaches, startManager } from '../../../e2e/support/manager.ts';
import { startRawHttp } from '../../../e2e/support/rawHttp.ts';

const PATH = '/public/mcp';
const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** A server that wants a sign-in, and says so with `challenge`; `metadata` is what it has of its own, by path. */
async function startRefusing(
  challenge: (origin: string) => string | undefined,
  metadata: readonly string[] = [],
) {
  const raw = await startRawHttp((_message, response, request) => {
    const { origin } = raw;
    const path = request.url ?? '';
    const found: Record<string, object> = {
      ...Object.fromEntries(
        metadata.map(at => [at, { resource: `${origin}${PATH}`, authorization_servers: [origin] }]),
      ),
      ...(metadata.length > 0
        ? {
            '/.well-known/oauth-authorization-server': issuer(origin),
            '/register': { client_id: 'us', redirect_uris: [] },
          }
        : {}),
    };
    if (path === PATH) {
      const header = challenge(origin);
      return Boolean(
        response.writeHead(401, header === undefined ? {} : { 'www-authenticate': header }).end(),
      );
    }
    const body = found[path];
    if (!body) return Boolean(response.writeHead(404).end());
    return Boolean(response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)));
  });
  const { manager, asks, view, ports } = await startManager({ far: { url: `${raw.origin}${PATH}` } });
  await reaches(manager, 'far', 'failed');
  /** The paths that were asked for beside the server's own. */
  const asked = () => raw.received.flatMap(({ url }) => (url === PATH ? [] : url));
  const failure = async () => {
    const error: unknown = await manager.signIn('far').catch((reason: unknown) => reason);
    return error as { code: string; message: string; hint: string };
  };
  return { raw, manager, asks, view, ports, asked, failure };
}

function issuer(origin: string) {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
}

describe('a server that answers 401 (BC-23)', () => {
  it('without a challenge has its sign-in looked for by its path, then at its root, when the person asks for it', async () => {
    const { manager, asks, view, ports, asked } = await startRefusing(() => undefined, [WELL_KNOWN]);
    expect(view('far')?.error?.code).toBe('auth.required');
    expect(asked()).toEqual([]);
    const signingIn = manager.signIn('far').catch((error: unknown) => error);
    await vi.waitFor(() => expect(asks.pending()).toMatchObject([{ kind: 'signIn' }]));
    expect(asked().slice(0, 2)).toEqual([`${WELL_KNOWN}${PATH}`, WELL_KNOWN]);
    asks.answer(asks.pending()[0]?.id ?? '', { action: 'cancel' });
    expect(await signingIn).toMatchObject({ code: 'auth.declined' });
    expect(ports.opened).toEqual([]);
  });

  it('with a challenge for tokens among others is understood: its address and its rights', async () => {
    const at = '/elsewhere/metadata';
    const { manager, asks, asked } = await startRefusing(
      origin =>
        `Basic realm="a, b", Bearer error="invalid_token", resource_metadata="${origin}${at}", scope="read write"`,
      [at],
    );
    const signingIn = manager.signIn('far').catch((error: unknown) => error);
    await vi.waitFor(() => expect(asks.pending()).toMatchObject([{ kind: 'signIn', scope: 'read write' }]));
    expect(asked()[0]).toBe(at);
    asks.answer(asks.pending()[0]?.id ?? '', { action: 'cancel' });
    await signingIn;
  });

  it.each([
    ['Negotiate', /Negotiate/, /header/],
    ['Basic realm="x"', /Basic/, /Base64/],
  ])('with %s alone is not signed in to, and says why', async (challenge, words, hint) => {
    const { view, asked } = await startRefusing(() => challenge);
    expect(view('far')?.error).toMatchObject({
      code: 'auth.scheme',
      message: expect.stringMatching(words),
      hint: expect.stringMatching(hint),
    });
    expect(asked()).toEqual([]);
  });

  it('and has no sign-in anywhere says so, and that a key may do; no page is opened', async () => {
    const { failure, asks, ports, asked } = await startRefusing(() => undefined);
    expect(await failure()).toMatchObject({
      code: expect.stringMatching(/^auth\./),
      message: expect.stringContaining('127.0.0.1'),
      hint: expect.stringContaining('header'),
    });
    expect(asked()).toEqual(expect.arrayContaining([`${WELL_KNOWN}${PATH}`, WELL_KNOWN]));
    expect(asks.pending()).toEqual([]);
    expect(ports.opened).toEqual([]);
  });
});
