import { z } from 'zod';

/** How much work a model is to put into its answers, least first. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export const Effort = z.enum(EFFORTS);
export type Effort = z.infer<typeof Effort>;

/** What holds for one conversation alone; what is absent is as everywhere else. */
export const ConversationSettings = z.object({
  /** A model id of the endpoint, or `guide`. */
  model: z.string().min(1).optional(),
  effort: Effort.optional(),
  /** false: it answers without thinking first. */
  thinking: z.boolean().optional(),
  /** How much chance is in the answers. A model that is given one does not think. */
  temperature: z.number().min(0).max(1).optional(),
  /** The person's own words, added to what Parley tells the model. */
  instructions: z.string().max(20_000).optional(),
  /** Names of the servers whose tools are not offered here. */
  serversOff: z.array(z.string()).optional(),
  toolsOff: z.array(z.object({ server: z.string(), tool: z.string() })).optional(),
});
export type ConversationSettings = z.infer<typeof ConversationSettings>;

/** What an endpoint says that a model can be told. */
export const ModelChoices = z.object({
  thinking: z.boolean(),
  /** It cannot be told not to. */
  alwaysThinks: z.boolean(),
  /** Absent: it does not say; each may be tried. Empty: it takes none. */
  efforts: z.array(Effort).optional(),
});
export type ModelChoices = z.infer<typeof ModelChoices>;

/** Whether the tool is offered in a conversation with these settings, as far as they go. */
export function isOnHere(
  { serversOff = [], toolsOff = [] }: ConversationSettings,
  { server, name }: { server: string; name: string },
): boolean {
  return !serversOff.includes(server) && !toolsOff.some(off => off.server === server && off.tool === name);
}
