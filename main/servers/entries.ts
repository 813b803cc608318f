import { z } from 'zod';
import type { ErrorInfo } from '../../shared/errors.ts';
import { ServerConfig } from '../../shared/servers.ts';

/** How the ecosystem spells the type of a remote server. */
const HTTP_TYPES = new Set(['http', 'streamable-http', 'streamableHttp', 'streamable_http']);

/** One raw entry of `mcpServers` as a config, or why it is none. */
export function understandEntry(raw: unknown): ServerConfig | ErrorInfo {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return unusable('It is not an object.');
  const entry = raw as Record<string, unknown>;
  const type = typeOf(entry);
  if (!type) return unusable('It has neither a "command" (a local server) nor a "url" (a remote one).');
  if (type === 'sse')
    return unusable('The old SSE transport is not supported; use the Streamable HTTP address of the server.');
  const parsed = ServerConfig.safeParse({ ...entry, type });
  if (parsed.success) return parsed.data;
  return unusable(z.prettifyError(parsed.error).replace(/^✖ /gm, ''));
}

/** The entry to write: what the person edits is replaced, keys that Parley does not know stay. */
export function writeEntry(config: ServerConfig, old: Record<string, unknown>): Record<string, unknown> {
  const { type, ...rest } = config;
  const known = ['type', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'disabled', 'timeoutMs'];
  const unknown = Object.entries(old).filter(([key]) => !known.includes(key));
  const ours = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...(type === 'http' ? { type } : {}),
    ...Object.fromEntries(ours),
    ...Object.fromEntries(unknown),
  };
}

function typeOf(entry: Record<string, unknown>): 'stdio' | 'http' | 'sse' | undefined {
  if (entry.type === 'sse') return 'sse';
  if (typeof entry.type === 'string' && HTTP_TYPES.has(entry.type)) return 'http';
  if (entry.command !== undefined) return 'stdio';
  return entry.url === undefined ? undefined : 'http';
}

function unusable(why: string): ErrorInfo {
  return {
    code: 'config.entry',
    message: `This entry of servers.json cannot be used. ${why}`,
    hint: 'Edit or remove it.',
  };
}
