import { z } from 'zod';

/**
 * Who or what decided. person: by an answer. rule: a standing answer of theirs. fullAuto: the conversation runs
 * without asking. option: an option of the command line. nobody: there was no terminal to ask on. muted: the person
 * silenced the server. stop: the person stopped what the question belonged to. withdrawn: nobody waits for the
 * answer any more: the server took the question back or is gone, or the browser came back. timeOut: too late. windowClosed, quit: nobody could see the question any more.
 */
export const DecidedBy = z.enum([
  'person',
  'rule',
  'fullAuto',
  'option',
  'nobody',
  'muted',
  'stop',
  'withdrawn',
  'timeOut',
  'windowClosed',
  'quit',
]);
export type DecidedBy = z.infer<typeof DecidedBy>;

/** One line of the audit log. Holds no secret that Parley knows or recognises, and no answer to a form. */
export const AuditEntry = z.object({
  /** ISO 8601. */
  at: z.string(),
  /** asked: a question opened. answered: it ended. decided: nobody was asked. */
  event: z.enum(['asked', 'answered', 'decided']),
  /** The kind of question; fullAuto, mute and rule: the person set that. */
  kind: z.string(),
  /** The same in `asked` and `answered`. */
  id: z.string().optional(),
  server: z.string().optional(),
  tool: z.string().optional(),
  conversationId: z.string().optional(),
  /** What it was about: arguments, a message, an address. */
  about: z.string().optional(),
  /** The action of the answer: `allow`, `decline`, … */
  decision: z.string().optional(),
  by: DecidedBy.optional(),
  /** The person changed what was asked about. */
  edited: z.boolean().optional(),
  /** So many alike in a row. */
  count: z.number().optional(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
