import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { HostError } from '../../shared/errors.ts';
import type { HttpServerConfig } from '../../shared/servers.ts';
import { normalizeMessages } from './normalize.ts';

/**
 * A connection to a remote server: the configured headers go to its own origin only (the SDK follows a redirect only
 * within the origin and with the same method), and a web page in place of an answer is said to be one.
 */
export function createHttpTransport(config: HttpServerConfig): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(config.url), {
    requestInit: { headers: config.headers ?? {} },
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (response.ok && response.headers.get('content-type')?.toLowerCase().includes('text/html')) {
        throw webPage(new URL(config.url).host, await response.text());
      }
      return repaired(response);
    },
  });
}

/** A JSON answer with the repairs of normalize.ts; anything else is passed on untouched. */
async function repaired(response: Response): Promise<Response> {
  const type = response.headers.get('content-type')?.toLowerCase() ?? '';
  if (!response.ok || !type.startsWith('application/json')) return response;
  const text = await response.text();
  const { status, statusText, headers } = response;
  return new Response(repair(text), { status, statusText, headers });
}

function repair(text: string): string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return text;
  }
  const messages = normalizeMessages(json);
  return messages.length === 0 ? text : JSON.stringify(messages.length === 1 ? messages[0] : messages);
}

function webPage(host: string, html: string): HostError {
  const title = /<title[^>]*>([^<]{1,80})/i.exec(html)?.[1]?.trim();
  return new HostError(
    'server.webpage',
    `${host} answered with a web page${title ? ` (“${title}”)` : ''} instead of MCP.`,
    'Is this the address of an MCP endpoint (often it ends in /mcp), and does your network need a sign-in?',
  );
}
