import { z } from 'zod';
import { UsageSum } from './usageSum.ts';

const tokens = z.number().int().nonnegative();

/** One part of what the model reads; the tools of `server`, or without one Parley's own. */
export const ContextPart = z.object({
  kind: z.enum(['system', 'tools', 'summary', 'messages', 'attachments', 'results']),
  server: z.string().optional(),
  tokens,
});
export type ContextPart = z.infer<typeof ContextPart>;

/** How full the model's window is, with what, and what the conversation has taken so far. */
export const ContextReport = z.object({
  model: z.string(),
  /** The longest prompt that the model can read; absent where nobody says. */
  window: tokens.optional(),
  used: tokens,
  /** `used` was not counted by the endpoint. */
  isEstimate: z.boolean(),
  parts: z.array(ContextPart),
  /** shares: of `used`, by how long each part is as text. */
  partsFrom: z.enum(['endpoint', 'shares']),
  /** How many tools the model has, and how many there are; absent: it has all. */
  toolSearch: z.object({ loaded: z.number().int(), all: z.number().int() }).optional(),
  lastTurn: UsageSum,
  conversation: UsageSum,
});
export type ContextReport = z.infer<typeof ContextReport>;
