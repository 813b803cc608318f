import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SELF_SIGNED } from '../../e2e/faults/support/selfSigned.ts';
import type { Ports } from '../ports.ts';
import { Network } from './network.ts';

/** A name that only a proxy can find. */
const FAR = 'far-away.invalid';

function startNetwork(ports: Partial<Pick<Ports, 'env' | 'systemProxy'>> = {}): Network {
  const network = new Network({ env: {}, version: '1.2.3', ...ports });
  onTestFinished(() => network.close());
  return network;
}

/** An HTTP server that counts its connections. Ends with the test. */
async function startServer(listener: RequestListener, { secure = false } = {}) {
  const server = secure ? createSecureServer(SELF_SIGNED, listener) : createServer(listener);
  const sockets = new Set<Socket>();
  server.on('connection', socket => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  const { port } = server.address() as AddressInfo;
  return { server, port, origin: `http://127.0.0.1:${port}`, connections: () => sockets.size };
}

const hello: RequestListener = (_request, response) => void response.end('hello');

/** A proxy that finds every name on this machine, under the same port. Tells what it was asked for. */
async function startProxy({ refusal }: { refusal?: number } = {}) {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const note = ({ method, url, headers }: IncomingMessage) => {
    asked.push(`${method} ${url}`);
    credentials.push(headers['proxy-authorization']);
  };
  const proxy = await startServer(async (request, response) => {
    note(request);
    if (refusal) return void response.writeHead(refusal).end();
    const { port, pathname } = new URL(request.url ?? '');
    const answer = await fetch(`http://127.0.0.1:${port}${pathname}`);
    response.end(`by proxy: ${await answer.text()}`);
  });
  proxy.server.on('connect', (request: IncomingMessage, socket: Socket) => {
    note(request);
    if (refusal) return void socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
    const target = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  return { ...proxy, asked, credentials };
}

describe('a request', () => {
  it('arrives as it was meant, and its answer is that of fetch', async () => {
    let seen: { method?: string; headers: IncomingMessage['headers']; body: string } | undefined;
    const { origin } = await startServer(async (request, response) => {
      let body = '';
      for await (const piece of request) body += piece;
      seen = { method: request.method ?? '', headers: request.headers, body };
      response.writeHead(404, 'Gone Fishing', [
        ['x-one', '1'],
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ]);
      response.end('grüezi');
    });
    const { send } = startNetwork();
    const answer = await send(`${origin}/path?query=1`, {
      method: 'POST',
      headers: new Headers({ 'X-Mine': 'yes' }),
      body: new URLSearchParams({ grant: 'code & more' }),
    });
    expect(answer).toBeInstanceOf(Response);
    expect([answer.status, answer.statusText, answer.ok]).toEqual([404, 'Gone Fishing', false]);
    expect(answer.headers.get('x-one')).toBe('1');
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await answer.text()).toBe('grüezi');
    expect(seen).toMatchObject({
      method: 'POST',
      body: 'grant=code+%26+more',
      headers: {
        'x-mine': 'yes',
        'user-agent': 'Parley/1.2.3',
        'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      },
    });
    // No cookie is kept.
    await send(origin);
    expect(seen?.headers.cookie).toBeUndefined();
  });

  it.each([200, 204, 304])('is answered with status %d, with and without a body', async status => {
    const { origin } = await startServer((_request, response) => void response.writeHead(status).end());
    const answer = await startNetwork().send(origin);
    expect([answer.status, await answer.text()]).toEqual([status, '']);
  });

  it('that is sent elsewhere is not followed, not even within the origin', async () => {
    let asked = 0;
    const { origin } = await startServer((_request, response) => {
      asked++;
      response.writeHead(302, { location: '/next' }).end();
    });
    const answer = await startNetwork().send(origin);
    expect([answer.status, answer.headers.get('location'), asked]).toEqual([302, '/next', 1]);
  });

  it('to a port of another service is not sent', async () => {
    await expect(startNetwork().send('http://127.0.0.1:25/')).rejects.toMatchObject({
      cause: { message: 'bad port' },
    });
  });

  it.each([1000, 5_000_000])('gets %d packed bytes unpacked', async size => {
    const { origin } = await startServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(size)));
    });
    expect(await (await startNetwork().send(origin)).text()).toBe('x'.repeat(size));
  });

  it('whose answer has a status that none may have fails, and ends nothing else', async () => {
    const { origin } = await startServer((_request, response) => void response.writeHead(799).end('odd'));
    const { send } = startNetwork();
    await expect(send(origin)).rejects.toThrow(/799|status/);
  });

  it('whose answer is read slowly gets all of it, and does not fill the memory meanwhile', async () => {
    const size = 64 * 1024 * 1024;
    const { origin } = await startServer((_request, response) => {
      response.end(Buffer.alloc(size));
    });
    const answer = await startNetwork().send(origin);
    const before = process.memoryUsage().arrayBuffers;
    let read = 0;
    let most = 0;
    for await (const piece of answer.body ?? []) {
      read += piece.length;
      if (read > size / 2 && most === 0) {
        await new Promise(resolve => setTimeout(resolve, 100));
        most = process.memoryUsage().arrayBuffers - before;
      }
    }
    expect(read).toBe(size);
    // The server is in this process too, and has the one copy.
    expect(most).toBeLessThan(size * 1.5);
  });
});

describe('connections', () => {
  it('are kept and used again', async () => {
    const { origin, connections } = await startServer(hello);
    const { send } = startNetwork();
    for (let nth = 0; nth < 10; nth++) expect(await (await send(origin)).text()).toBe('hello');
    // The one that an answer has just come on is not free yet when the next request is sent at once.
    expect(connections()).toBeLessThanOrEqual(2);
  });

  it('are as many as are needed: endless streams do not hold up calls', async () => {
    const { origin } = await startServer((request, response) => {
      if (request.url === '/stream') response.write(': begun\n\n');
      else response.end('hello');
    });
    const { send } = startNetwork();
    const stop = new AbortController();
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => send(`${origin}/stream`, { signal: stop.signal })),
    );
    const answers = await Promise.all(
      Array.from({ length: 64 }, async () => (await send(`${origin}/call`)).text()),
    );
    expect(answers).toEqual(Array(64).fill('hello'));
    expect(streams.map(({ status }) => status)).toEqual(Array(20).fill(200));
    stop.abort();
  });

  it('that are not in use are given up after a change of network; what is being received goes on', async () => {
    let finish = () => {};
    const { origin, connections } = await startServer((request, response) => {
      if (request.url !== '/slow') return void response.end('hello');
      response.write('first ');
      finish = () => response.end('last');
    });
    const network = startNetwork();
    const slow = await network.send(`${origin}/slow`);
    await (await network.send(origin)).text();
    const before = connections();
    network.renew();
    await (await network.send(origin)).text();
    expect(connections()).toBe(before + 1);
    finish();
    expect(await slow.text()).toBe('first last');
  });
});

describe('giving up', () => {
  it('before the answer closes the connection, with the reason that was given', async () => {
    let closed = false;
    const { origin, connections } = await startServer(request => {
      request.socket.on('close', () => {
        closed = true;
      });
    });
    const stop = new AbortController();
    const answer = startNetwork().send(origin, { signal: stop.signal });
    await vi.waitFor(() => expect(connections()).toBe(1));
    stop.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    await vi.waitFor(() => expect(closed).toBe(true));
  });

  it('in the middle of a stream closes it, whether by the signal or by the reader', async () => {
    let open = 0;
    const { origin } = await startServer((_request, response) => {
      open++;
      response.on('close', () => open--);
      response.write('begun');
    });
    const { send } = startNetwork();
    const stop = new AbortController();
    const reader = (await send(origin, { signal: stop.signal })).body?.getReader();
    await reader?.read();
    stop.abort(new Error('enough'));
    await expect(reader?.read()).rejects.toThrow('enough');
    const other = await send(origin);
    await other.body?.cancel();
    await vi.waitFor(() => expect(open).toBe(0));
  });

  it('beforehand sends nothing', async () => {
    const { origin, connections } = await startServer(hello);
    await expect(startNetwork().send(origin, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
    expect(connections()).toBe(0);
  });
});

describe('a proxy', () => {
  it('of the environment is handed plain http as it is, with its name and password', async () => {
    const [server, proxy] = [await startServer(hello), await startProxy()];
    const { send } = startNetwork({ env: { HTTP_PROXY: `http://me:p%40ss@127.0.0.1:${proxy.port}` } });
    for (let nth = 0; nth < 3; nth++) {
      const answer = await send(`http://${FAR}:${server.port}/path`);
      expect(await answer.text()).toBe('by proxy: hello');
    }
    expect(proxy.asked).toEqual(Array(3).fill(`GET http://${FAR}:${server.port}/path`));
    expect(proxy.credentials[0]).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    expect(proxy.connections()).toBeLessThanOrEqual(2);
  });

  it('of the environment is asked for a tunnel for https, in which the certificate of the server counts', async () => {
    const [server, proxy] = [await startServer(hello, { secure: true }), await startProxy()];
    const { send } = startNetwork({ env: { https_proxy: `127.0.0.1:${proxy.port}` } });
    await expect(send(`https://${FAR}:${server.port}/`)).rejects.toMatchObject({
      cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
    expect(proxy.asked).toEqual([`CONNECT ${FAR}:${server.port}`]);
  });

  it('is not for what NO_PROXY names, nor ever for this machine', async () => {
    const [server, proxy] = [await startServer(hello), await startProxy()];
    const { send } = startNetwork({
      env: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: FAR },
    });
    await expect(send(`http://${FAR}:${server.port}/`)).rejects.toMatchObject({
      cause: { code: 'ENOTFOUND' },
    });
    expect(await (await send(server.origin)).text()).toBe('hello');
    expect(proxy.asked).toEqual([]);
  });

  it('of the system is asked for once in a while, where the environment names none', async () => {
    const [server, proxy] = [await startServer(hello), await startProxy()];
    const systemProxy = vi.fn(async () => `PROXY 127.0.0.1:${proxy.port}; DIRECT`);
    const network = startNetwork({ systemProxy });
    const url = `http://${FAR}:${server.port}/`;
    for (let nth = 0; nth < 3; nth++) expect(await (await network.send(url)).text()).toBe('by proxy: hello');
    expect(systemProxy.mock.calls).toEqual([[url]]);
    network.renew();
    await network.send(url);
    expect(systemProxy).toHaveBeenCalledTimes(2);
  });

  it.each([
    [407, /wants a name and a password \(407\)/],
    [403, /did not let the request through \(403\)/],
  ])('that refuses a tunnel with %d says so, without what is secret', async (refusal, words) => {
    const proxy = await startProxy({ refusal });
    const { send } = startNetwork({ env: { HTTPS_PROXY: `http://me:secret@127.0.0.1:${proxy.port}` } });
    const failure: unknown = await send(`https://${FAR}/`).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'EPROXY', message: expect.stringMatching(words) });
    expect(String(failure)).not.toContain('secret');
  });

  it('that is not there is named, and not the server', async () => {
    const { port, server } = await startServer(hello);
    const closed = once(server, 'close');
    server.close();
    await closed;
    const { send } = startNetwork({ env: { HTTP_PROXY: `http://127.0.0.1:${port}` } });
    await expect(send(`http://${FAR}/`)).rejects.toThrow(
      `The proxy 127.0.0.1:${port} cannot be reached (ECONNREFUSED).`,
    );
  });
});
