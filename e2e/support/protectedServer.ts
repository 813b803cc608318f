import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AuthServer } from './authServer.ts';

interface Demands {
  /** Called with every request before its token is looked at. */
  beforeCheck?(body: string): void;
  /** The scope that a request needs; undefined: any token will do. */
  scopeFor?(body: string): string | undefined;
  /** It is refused even with that scope. */
  isNeverContent?: boolean;
}

/**
 * A real MCP server behind a guard that demands tokens of an authorization server, as the specification says: with
 * protected resource metadata, challenges, and a check of the audience.
 */
export async function startProtected(upstream: string, auth: AuthServer, demands: Demands = {}) {
  let issuer = auth;
  const refused = new Set<string>();
  const seen = new Set<string>();
  /** The bodies that were let through. */
  const passed: string[] = [];
  const http = createServer((request, response) => void answer(request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const url = `${origin}/mcp`;
  const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (`${origin}${request.url}` === metadataUrl) {
      response.setHeader('content-type', 'application/json');
      const metadata = {
        resource: url,
        authorization_servers: [issuer.issuer],
        scopes_supported: ['mcp:read'],
      };
      return response.end(JSON.stringify(metadata));
    }
    if (new URL(request.url ?? '', origin).pathname !== '/mcp') return response.writeHead(404).end();
    const body = await text(request);
    demands.beforeCheck?.(body);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const allowed = refused.has(token) ? undefined : await issuer.check(token);
    if (allowed?.audience !== url) {
      const error = token === '' ? '' : ', error="invalid_token"';
      return refuse(response, 401, `resource_metadata="${metadataUrl}", scope="mcp:read"${error}`);
    }
    seen.add(token);
    const needed = demands.scopeFor?.(body);
    const isGiven = !demands.isNeverContent && allowed.scope.split(' ').includes(needed ?? '');
    if (needed !== undefined && !isGiven)
      return refuse(
        response,
        403,
        `error="insufficient_scope", scope="${needed}", resource_metadata="${metadataUrl}"`,
      );
    passed.push(body);
    forward(request, body, response);
  };

  const forward = (request: IncomingMessage, body: string, response: ServerResponse) => {
    const { authorization: _token, host: _host, ...headers } = request.headers;
    const onward = sendRequest(upstream, { method: request.method, headers }, incoming => {
      response.writeHead(incoming.statusCode ?? 502, incoming.headers);
      incoming.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(body);
  };

  return {
    url,
    passed,
    /** Every token that was accepted so far is refused from now on, as when it has expired. */
    expireTokens() {
      for (const token of seen) refused.add(token);
    },
    /** From now on another authorization server is in charge. */
    moveTo(next: AuthServer) {
      issuer = next;
    },
    async close() {
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

function refuse(response: ServerResponse, status: number, challenge: string): void {
  response.writeHead(status, { 'www-authenticate': `Bearer ${challenge}` }).end();
}
