import { z } from 'zod';
import type { ErrorInfo } from '../../shared/errors.ts';
import { ServerConfig } from '../../shared/servers.ts';
import { isObject, withoutNulls } from './objects.ts';

/** Other names of `url` in files that other hosts wrote; `url` itself wins. */
export const URL_KEYS = ['serverUrl', 'httpUrl'] as const;

/** One raw entry of `mcpServers` as a config, or why it is none. Spellings of other hosts are understood. */
export function understandEntry(raw: unknown): ServerConfig | ErrorInfo {
  if (!isObject(raw)) return unusableEntry('It is not an object.');
  const entry = withoutNulls(raw);
  const url = entry.url ?? URL_KEYS.map(key => entry[key]).find(value => value !== undefined);
  const type = typeOf(entry, url);
  if (!type) return unusableEntry('It has neither a "command" (a local server) nor a "url" (a remote one).');
  if (type === 'sse' && entry.era === 'modern')
    return unusableEntry(
      'The HTTP+SSE transport speaks only the legacy era: leave out "era", or the type "sse".',
    );
  const parsed = ServerConfig.safeParse({
    ...entry,
    type: type === 'sse' ? 'http' : type,
    transport: type === 'sse' ? 'sse' : undefined,
    ...(type === 'stdio' ? { env: asTexts(entry.env) } : { url, headers: asTexts(entry.headers) }),
  });
  return parsed.success ? withoutUndefined(parsed.data) : unusableEntry(inWords(parsed.error));
}

export function unusableEntry(why: string): ErrorInfo {
  return {
    code: 'config.entry',
    message: `This entry of servers.json cannot be used. ${why}`,
    hint: 'Edit or remove it.',
  };
}

/** What the entry says it is, in any spelling; else what its keys tell. */
function typeOf(entry: Record<string, unknown>, url: unknown): 'stdio' | 'http' | 'sse' | undefined {
  const said = typeof entry.type === 'string' ? entry.type.toLowerCase().replace(/[-_]/g, '') : undefined;
  if (said === 'sse') return 'sse';
  if (said === 'http' || said === 'streamablehttp') return 'http';
  if (entry.command !== undefined) return 'stdio';
  return url === undefined ? undefined : 'http';
}

/** Values of `env` and `headers`: numbers and booleans are meant as text, null as absent. */
function asTexts(map: unknown): unknown {
  if (!isObject(map)) return map;
  const isMeantAsText = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';
  return Object.fromEntries(
    Object.entries(withoutNulls(map)).map(([name, value]) => [
      name,
      isMeantAsText(value) ? String(value) : value,
    ]),
  );
}

function withoutUndefined(config: ServerConfig): ServerConfig {
  return Object.fromEntries(
    Object.entries(config).filter(([, value]) => value !== undefined),
  ) as ServerConfig;
}

function inWords(error: z.ZodError): string {
  return z
    .prettifyError(error)
    .replace(/^✖ /gm, '')
    .replace(/\n\s*→ at /g, ' in ')
    .replaceAll('\n', '; ');
}
