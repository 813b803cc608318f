import { z } from 'zod';
import { Icon } from './icons.ts';

/** What the host does when the model wants to call a tool. */
export const ToolRule = z.enum(['ask', 'allow', 'deny']);
export type ToolRule = z.infer<typeof ToolRule>;

/** The server's own claims about a tool: shown as such, never trusted. */
export const ToolAnnotations = z.object({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});
export type ToolAnnotations = z.infer<typeof ToolAnnotations>;

/** Any JSON object: schemas and arguments come from outside and keep their shape. */
export const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;

/** One tool in the registry. `server` + `name` is its identity; `modelName` is only what the model calls it. */
export const ToolInfo = z.object({
  server: z.string(),
  /** The server's own name for the tool, unchanged. */
  name: z.string(),
  /** Unique in the registry, stable, matches `^[a-zA-Z0-9_-]{1,64}$`. */
  modelName: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  /** As the server sent it. */
  inputSchema: JsonObject,
  annotations: ToolAnnotations.optional(),
  icons: z.array(Icon).optional(),
  /** Switched on by the person and usable. */
  enabled: z.boolean(),
  /** What happens when the model calls it, by whichever rule. */
  rule: ToolRule,
  /** Its own rule; absent: the default of its server holds. */
  ownRule: ToolRule.optional(),
  /** It was allowed, but as another one: it is asked about again. */
  changed: z.boolean().optional(),
  /** Why the tool cannot be offered to a model at all, if so. */
  unusable: z.string().optional(),
  /** What had to be changed or dropped to make its schema acceptable. */
  notes: z.array(z.string()),
});
export type ToolInfo = z.infer<typeof ToolInfo>;
