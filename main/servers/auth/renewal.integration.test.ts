import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tempDir } from '../../../e2e/support/host.ts';
import { reaches, startManager } from '../../../e2e/support/manager.ts';
import { legacyResult, sendJson } from '../../../e2e/support/rawHttp.ts';
import type { Secrets } from '../../ports.ts';
import { createSecrets } from '../../secrets.ts';
import { Credentials } from './credentials.ts';

const never = new AbortController().signal;

/**
 * A protected server that is its own authorization server. Each refresh token is good once: a second use makes all of
 * them useless (BC-28). Ends with the test.
 */
async function startStrict() {
  let current = { access: 'a0', refresh: 'r0' };
  let isRevoked = false;
  let used = 0;
  let refusals = 0;
  let calls = 0;
  /** What happens to the next request for tokens instead. */
  const faults: ((response: ServerResponse) => void)[] = [];
  const behaviour = { rotates: true };

  const token = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await text(request));
    const fault = faults.shift();
    if (fault) return fault(response);
    used += 1;
    if (isRevoked || form.get('refresh_token') !== current.refresh) {
      isRevoked = true;
      return json(response, { error: 'invalid_grant' }, 400);
    }
    current = { access: `a${used}`, refresh: behaviour.rotates ? `r${used}` : current.refresh };
    const refreshed = behaviour.rotates ? { refresh_token: current.refresh } : {};
    json(response, { access_token: current.access, token_type: 'Bearer', ...refreshed });
  };

  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/.well-known/oauth-protected-resource'))
      return json(response, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (path.startsWith('/.well-known/')) return json(response, metadata(origin));
    if (path === '/token') return token(request, response);
    if (request.headers.authorization !== `Bearer ${current.access}`) {
      refusals += 1;
      return void response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
    }
    const body = await text(request);
    const message = body === '' ? {} : JSON.parse(body);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (message.id === undefined) return void response.writeHead(202).end();
    if (message.method === 'tools/call') calls += 1;
    const result = legacyResult(message);
    sendJson(response, {
      id: message.id,
      ...(result ? { result } : { error: { code: -32601, message: '' } }),
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return {
    url: `${origin}/mcp`,
    faults,
    behaviour,
    /** How many refresh tokens were used. */
    used: () => used,
    calls: () => calls,
    /** How many requests were refused. */
    refusals: () => refusals,
    expire() {
      current = { ...current, access: 'none is good' };
    },
    /** Signed in, as far as `secrets` is concerned. */
    signIn(secrets: Secrets, life?: number) {
      const credentials = new Credentials(secrets, 'guarded', `${origin}/mcp`);
      credentials.saveClient(origin, { client_id: 'parley' });
      const tokens = {
        access_token: current.access,
        refresh_token: current.refresh,
        token_type: 'Bearer',
        issuer: origin,
        ...(life === undefined ? {} : { expires_in: life }),
      };
      credentials.saveTokens(origin, tokens, true);
    },
    stored(secrets: Secrets) {
      return new Credentials(secrets, 'guarded', `${origin}/mcp`).tokens;
    },
  };
}

function metadata(origin: string) {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
}

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

type Faults = ((response: ServerResponse) => void)[];

/** So many Parleys on one data directory, signed in and connected. */
async function startParleys(count: number, { life, faults = [] }: { life?: number; faults?: Faults } = {}) {
  const strict = await startStrict();
  strict.faults.push(...faults);
  const dir = await tempDir();
  onTestFinished(dir.remove);
  const open = () => createSecrets(join(dir.path, 'secrets.json'));
  strict.signIn(open(), life);
  const parleys = await Promise.all(
    Array.from({ length: count }, () =>
      startManager({ guarded: { url: strict.url } }, { dataDir: dir.path, ports: { secrets: open() } }),
    ),
  );
  for (const { manager } of parleys) await reaches(manager, 'guarded', 'ready');
  const call = (parley = 0) => {
    const connection = parleys[parley]?.manager.connection('guarded');
    if (!connection) throw new Error('There is no such server.');
    return connection.callTool('echo', {}, { signal: never });
  };
  const asks = parleys.map(parley => parley.asks);
  return { strict, call, open, stored: () => strict.stored(open()), asks };
}

describe('the renewal of tokens (BC-28)', () => {
  it('comes before they expire, once for all, so that nothing is refused', async () => {
    const { strict, call } = await startParleys(2, { life: 0 });
    await Promise.all([call(0), call(1), call(0)]);
    expect(strict.used()).toBe(1);
    expect(strict.refusals()).toBe(0);
    expect(strict.calls()).toBe(3);
  });

  it('is tried once before they expire: while they are good, nothing depends on it', async () => {
    const down = (response: ServerResponse) => void response.writeHead(503).end();
    const { strict, call } = await startParleys(1, { life: 0, faults: [down] });
    await call();
    await call();
    expect(strict.used()).toBe(0);
    expect(strict.calls()).toBe(2);
  });

  it('happens once for all calls of two Parleys on the same data, each time that they expire', async () => {
    const { strict, call, asks } = await startParleys(2);
    for (const round of [1, 2, 3]) {
      strict.expire();
      await Promise.all([call(0), call(1), call(0), call(1), call(0), call(1)]);
      expect(strict.used()).toBe(round);
      expect(strict.calls()).toBe(6 * round);
    }
    expect(asks.flatMap(each => each.pending())).toEqual([]);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['whose connection is cut', response => response.destroy()],
    ['that is answered 503', response => response.writeHead(503).end('<h1>Down</h1>')],
    ['that comes too often', response => json(response, { error: 'too_many_requests' }, 429)],
    ['that comes at a bad moment', response => json(response, { error: 'temporarily_unavailable' }, 503)],
  ])('%s signs nobody out: the next one is made', async (_what, fault) => {
    const { strict, call, stored, asks } = await startParleys(1);
    strict.faults.push(fault);
    strict.expire();
    await expect(call()).rejects.toMatchObject({ code: expect.stringMatching(/^(auth|server)\./) });
    expect(stored()).toMatchObject({ access_token: 'a0', refresh_token: 'r0' });
    expect((await call()).content).toEqual([{ type: 'text', text: 'ok' }]);
    expect(stored()).toMatchObject({ access_token: 'a1', refresh_token: 'r1' });
    expect(asks[0]?.pending()).toEqual([]);
  });

  it('without a new refresh token goes on with the old one', async () => {
    const { strict, call, stored } = await startParleys(1);
    strict.behaviour.rotates = false;
    for (const round of [1, 2]) {
      strict.expire();
      await call();
      expect(stored()).toMatchObject({ access_token: `a${round}`, refresh_token: 'r0' });
    }
  });

  it('that is refused loses only what was refused: newer tokens of another program are used', async () => {
    const { strict, call, open, stored } = await startParleys(1);
    strict.expire();
    strict.faults.push(response => {
      // Meanwhile somebody who knows nothing of us has renewed them.
      void fetch(`${new URL(strict.url).origin}/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'r0' }),
      }).then(async renewed => {
        await renewed.text();
        strict.signIn(open());
        json(response, { error: 'invalid_grant' }, 400);
      });
    });
    expect((await call()).content).toEqual([{ type: 'text', text: 'ok' }]);
    expect(stored()).toMatchObject({ access_token: 'a1', refresh_token: 'r1' });
  });
});
