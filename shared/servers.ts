import { z } from 'zod';
import { ErrorInfo } from './errors.ts';
import { Icon } from './icons.ts';
import { JsonObject } from './tools.ts';

/** Protocol era: modern = revision 2026-07-28 and later, legacy = the `initialize` handshake before it. */
export const Era = z.enum(['modern', 'legacy']);
export type Era = z.infer<typeof Era>;

/** Our own optional keys, next to the ones that the ecosystem shares. */
const ownKeys = {
  /** Kept in the file but not started. */
  disabled: z.boolean().optional(),
  /** How long one request may stay silent, in milliseconds; progress resets the clock. */
  timeoutMs: z.number().int().positive().max(86_400_000).optional(),
  /** Folders that the person picked for this server, as whole paths: it is told of them and of no others. */
  roots: z.array(z.string().min(1)).optional(),
  /** The only era that is tried; else Parley finds out which one the server speaks. */
  era: Era.optional(),
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

/**
 * How tokens for a remote server are come by, where that differs from the default: the person signs in in their browser,
 * and Parley registers itself. Our own; in servers.json under `auth`.
 */
export const ServerAuth = z.object({
  /**
   * authorization_code: the person signs in. client_credentials: the client stands for itself, with a secret or a key.
   * jwt_bearer: an assertion from elsewhere is exchanged (workload identity). enterprise: the company's identity
   * provider vouches for the person (ID-JAG).
   */
  grant: z.enum(['authorization_code', 'client_credentials', 'jwt_bearer', 'enterprise']).optional(),
  /** The client as it was registered by hand with the authorization server. */
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  /** Where this client's metadata document is: its id for servers that know such documents. */
  clientMetadataUrl: z.url({ protocol: /^https$/ }).optional(),
  /** Asked for where the server does not say which scopes it needs; separated by spaces. */
  scope: z.string().min(1).optional(),
  /** The only authorization server that the client's credentials may go to. */
  issuer: z.url({ protocol: /^https?$/ }).optional(),
  /** The port of the redirect address, for clients that were registered with one. Else any free port. */
  redirectPort: z.number().int().min(1024).max(65_535).optional(),
  /** client_credentials: signs the client's assertions (PKCS #8, PEM), instead of a secret. */
  privateKey: z.string().min(1).optional(),
  /** Of the private key, such as `ES256`. */
  algorithm: z.string().min(1).optional(),
  /** jwt_bearer: the assertion. */
  assertion: z.string().min(1).optional(),
  /** enterprise: the identity provider, the client's registration there, and the person's ID token. */
  idp: z
    .object({
      issuer: z.url({ protocol: /^https?$/ }),
      /** Where its metadata does not say it. */
      tokenEndpoint: z.url({ protocol: /^https?$/ }).optional(),
      clientId: z.string().min(1),
      clientSecret: z.string().min(1).optional(),
      idToken: z.string().min(1),
    })
    .optional(),
});
export type ServerAuth = z.infer<typeof ServerAuth>;

export const HttpServerConfig = z.object({
  type: z.literal('http'),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).optional(),
  auth: ServerAuth.optional(),
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
 * Stands for a value of `env` or `headers`, or a secret of `auth`, wherever a config leaves the main process. Sent back
 * in an edit it means "keep what the file has".
 */
export const KEPT_VALUE = '\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022';

/** off: switched off. stopped: ended by the person or at quit. failed: see `error`. */
export const ServerState = z.enum(['off', 'connecting', 'ready', 'failed', 'stopped']);
export type ServerState = z.infer<typeof ServerState>;

/**
 * Why a server is taken for one of its era. pinned: its entry says so. remembered: from an earlier start. discovered:
 * it answered `server/discover`. discoveredLate: later than is waited for. undiscovered: it did not, or not as a modern
 * server does. ended: its process ended over that question. transport: HTTP+SSE knew no other.
 */
export const EraReason = z.enum([
  'pinned',
  'remembered',
  'discovered',
  'discoveredLate',
  'undiscovered',
  'ended',
  'transport',
]);
export type EraReason = z.infer<typeof EraReason>;

/** One server as a person sees it. Holds no secret: see `KEPT_VALUE`. */
export const ServerView = z.object({
  name: z.string(),
  config: ServerConfig,
  state: ServerState,
  /** When the state was entered, ms since the epoch. */
  since: z.number(),
  error: ErrorInfo.optional(),
  era: Era.optional(),
  eraReason: EraReason.optional(),
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
  /** There are tokens from a sign-in of the person. */
  signedIn: z.boolean().optional(),
  /** The names of the `${secret:…}` values that are stored for it. */
  secrets: z.array(z.string()).optional(),
  /** While connecting: the newest stderr line, for servers that download on first start. */
  activity: z.string().optional(),
});
export type ServerView = z.infer<typeof ServerView>;

/** servers.json as a whole: where it is, and why it cannot be used if it is broken. */
export const ServersFile = z.object({ path: z.string(), error: ErrorInfo.optional() });
export type ServersFile = z.infer<typeof ServersFile>;
