import { z } from 'zod';
import { Block, Message } from '../../shared/chat.ts';
import { ConversationSettings } from '../../shared/conversationSettings.ts';

/** A message outside a database. `id` and `parentId` mean something within its conversation only. */
export const PortableMessage = Message.pick({
  id: true,
  role: true,
  createdAt: true,
  model: true,
  stopReason: true,
  usage: true,
}).extend({
  /** The message that it follows; absent: none. */
  parentId: z.string().optional(),
  status: z.enum(['complete', 'incomplete']),
  blocks: z.array(Block),
});
export type PortableMessage = z.infer<typeof PortableMessage>;

/** A whole conversation with all its branches; a message stands behind the one that it follows. */
export const PortableConversation = z.object({
  title: z.string().min(1),
  createdAt: z.number(),
  updatedAt: z.number(),
  pinned: z.boolean().default(false),
  archived: z.boolean().default(false),
  folder: z.string().optional(),
  settings: ConversationSettings.default({}),
  messages: z.array(PortableMessage),
  /** The last message of the branch that is shown; absent: the last of all. */
  shown: z.string().optional(),
});
export type PortableConversation = z.infer<typeof PortableConversation>;

export const FORMAT = 'parley.conversations';

/** The file that Parley writes and reads back whole. */
export const PortableFile = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  exportedAt: z.string(),
  conversations: z.array(PortableConversation),
});

/** The text of such a file. */
export function toPortableFile(conversations: readonly PortableConversation[], now = new Date()): string {
  const file = { format: FORMAT, version: 1, exportedAt: now.toISOString(), conversations };
  return `${JSON.stringify(file, null, 1)}\n`;
}
