import { z } from 'zod';
import { JsonObject, ToolAnnotations, ToolRule } from './tools.ts';

/** What a tool is known by when it is allowed for longer than once: it counts as another one when any of it changes. */
export const ToolDefinition = z.object({
  description: z.string().optional(),
  inputSchema: JsonObject,
  annotations: ToolAnnotations.optional(),
});
export type ToolDefinition = z.infer<typeof ToolDefinition>;

/** Where the person gave a standing answer: on the question about a call, in the settings, or in the terminal. */
export const RuleOrigin = z.enum(['approval', 'settings', 'terminal']);
export type RuleOrigin = z.infer<typeof RuleOrigin>;

/** What holds for the tools of a server that have no rule of their own. */
export const ServerDefault = z.object({
  rule: ToolRule,
  /** With `ask`: tools that say of themselves that they only read are not asked about. */
  allowReadOnly: z.boolean(),
});
export type ServerDefault = z.infer<typeof ServerDefault>;

/** A standing answer of the person, until they take it back. */
export const StandingRule = z.discriminatedUnion('scope', [
  z.object({
    scope: z.literal('tool'),
    server: z.string(),
    tool: z.string(),
    rule: ToolRule,
    /** ms since the epoch. */
    since: z.number(),
    origin: RuleOrigin,
  }),
  z.object({
    scope: z.literal('server'),
    server: z.string(),
    ...ServerDefault.shape,
    since: z.number(),
    origin: RuleOrigin,
    /** How many tools it was given for: those that the server had at that time. */
    covers: z.number(),
  }),
]);
export type StandingRule = z.infer<typeof StandingRule>;

/** What the person decided for one conversation; it ends with that, or with Parley. */
export const ConversationRules = z.object({
  /** Empty: what belongs to no conversation. */
  conversationId: z.string(),
  /** Since when every call runs without a question, if so; ms since the epoch. */
  fullAuto: z.number().optional(),
  allowed: z.array(z.object({ server: z.string(), tool: z.string(), since: z.number() })),
  /** The servers whose questions are declined without being shown, and how many were. */
  muted: z.array(z.object({ server: z.string(), since: z.number(), declined: z.number() })),
});
export type ConversationRules = z.infer<typeof ConversationRules>;
