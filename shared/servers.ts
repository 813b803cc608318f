import { z } from 'zod';
import { ErrorInfo } from './errors.ts';
import { Icon } from './icons.ts';
import { JsonObject } from './tools.ts';

/** Our own optional keys, next to the ones that the ecosystem shares. */
const ownKeys = {
  /** Kept in the file but not started. */
  disabled: z.boolean().optional(),
  /** How long one request may stay silent, in milliseconds; progress resets the clock. */
  timeoutMs: z.number().int().positive().max(86_400_000).optional(),
  /** Folders that the person picked for this server, as whole paths: it is told of them and of no others. */
  roots: z.array(z.string().min(1)).optional(),
};

export const StdioServerConfig = z.object({
  type: z.literal('stdio'),
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().optional(),
  ...ownKeys,
});
export type StdioServerConfig = z.infer<typeof StdioServerConfig>;

export const HttpServerConfig = z.object({
  type: z.literal('http'),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).optional(),
  /** `sse`: only the HTTP+SSE transport of 2024-11-05 (in servers.json: `"type": "sse"`). Else it is the last resort. */
  transport: z.literal('sse').optional(),
  ...ownKeys,
});
export type HttpServerConfig = z.infer<typeof HttpServerConfig>;

/** One entry of `mcpServers`, with its `type` made explicit. */
export const ServerConfig = z.discriminatedUnion('type', [StdioServerConfig, HttpServerConfig]);
export type ServerConfig = z.infer<typeof ServerConfig>;

/** A server's name is its key in servers.json: the host's own identity for it, never what the server calls itself. */
export const ServerName = z
  .string()
  .min(1)
  .max(100)
  .refine(name => name.trim() === name, 'must not begin or end with a space');

/**
 * Stands for a value of `env` or `headers` wherever a config leaves the main process: those values may be
 * secrets. Sent back in an edit it means "keep what the file has".
 */
export const KEPT_VALUE = '\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022';

/** off: switched off. stopped: ended by the person or at quit. failed: see `error`. */
export const ServerState = z.enum(['off', 'connecting', 'ready', 'failed', 'stopped']);
export type ServerState = z.infer<typeof ServerState>;

/** Protocol era: modern = revision 2026-07-28 and later, legacy = the `initialize` handshake before it. */
export const Era = z.enum(['modern', 'legacy']);
export type Era = z.infer<typeof Era>;

/** One server as a person sees it. Holds no secret: values of `env` and `headers` are `KEPT_VALUE`. */
export const ServerView = z.object({
  name: z.string(),
  config: ServerConfig,
  state: ServerState,
  /** When the state was entered, ms since the epoch. */
  since: z.number(),
  error: ErrorInfo.optional(),
  era: Era.optional(),
  /** Negotiated protocol revision, such as `2026-07-28`. */
  protocolVersion: z.string().optional(),
  /** What the server says of itself: untrusted text, for display only. */
  serverInfo: z
    .object({
      name: z.string(),
      version: z.string().optional(),
      title: z.string().optional(),
      description: z.string().optional(),
      websiteUrl: z.string().optional(),
      icons: z.array(Icon).optional(),
    })
    .optional(),
  /** As the server declared them. */
  capabilities: JsonObject.optional(),
  instructions: z.string().optional(),
  counts: z.object({ tools: z.number(), prompts: z.number(), resources: z.number() }),
  /** What was odd but survivable: left-out tools, text on stdout, a repeated list cursor … */
  notes: z.array(z.string()),
  /** While connecting: the newest stderr line, for servers that download on first start. */
  activity: z.string().optional(),
});
export type ServerView = z.infer<typeof ServerView>;

/** servers.json as a whole: where it is, and why it cannot be used if it is broken. */
export const ServersFile = z.object({ path: z.string(), error: ErrorInfo.optional() });
export type ServersFile = z.infer<typeof ServersFile>;
