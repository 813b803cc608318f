import { z } from 'zod';
import { JsonObject, ToolAnnotations } from './tools.ts';

const common = {
  id: z.string(),
  /** The conversation whose turn is waiting, when there is one. */
  conversationId: z.string().optional(),
  /** The configured name of the server that asks or will be called: the host's word, not the server's. */
  server: z.string(),
  /** When it was asked, ms since the epoch. */
  askedAt: z.number(),
};

/** May this tool run with these arguments? */
export const ApprovalAsk = z.object({
  ...common,
  kind: z.literal('approval'),
  /** The block of the conversation this is about. */
  callId: z.string(),
  tool: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  /** Exactly what will be sent. */
  args: JsonObject,
  /** The server's own claims. */
  annotations: ToolAnnotations.optional(),
  /** The tool was allowed before, but its definition has changed since. */
  changed: z.boolean().optional(),
});
export const ApprovalAnswer = z.object({ action: z.enum(['allow', 'allowAlways', 'deny', 'stop']) });

/** A server wants structured input. `schema` is the restricted JSON Schema of the elicitation page. */
export const ElicitationAsk = z.object({
  ...common,
  kind: z.literal('elicitation'),
  message: z.string(),
  schema: JsonObject,
});
export const ElicitationAnswer = z.discriminatedUnion('action', [
  z.object({ action: z.literal('accept'), content: JsonObject }),
  z.object({ action: z.literal('decline') }),
  z.object({ action: z.literal('cancel') }),
]);

/** A server wants a page opened outside Parley. accept: the person agreed and the page was opened. */
export const UrlElicitationAsk = z.object({
  ...common,
  kind: z.literal('urlElicitation'),
  message: z.string(),
  url: z.string(),
});
export const UrlElicitationAnswer = z.object({ action: z.enum(['accept', 'decline', 'cancel']) });

/** Parley itself (the Guide) needs arguments that it could not read from what was typed. */
export const ArgumentsAsk = z.object({
  ...common,
  kind: z.literal('arguments'),
  tool: z.string(),
  title: z.string().optional(),
  schema: JsonObject,
  /** What was understood already. */
  values: JsonObject,
});
export const ArgumentsAnswer = z.discriminatedUnion('action', [
  z.object({ action: z.literal('accept'), content: JsonObject }),
  z.object({ action: z.literal('cancel') }),
]);

export const Ask = z.discriminatedUnion('kind', [
  ApprovalAsk,
  ElicitationAsk,
  UrlElicitationAsk,
  ArgumentsAsk,
]);
export type Ask = z.infer<typeof Ask>;
export type AskKind = Ask['kind'];

/** The schema of the answer to each kind of question. */
export const answerSchemas = {
  approval: ApprovalAnswer,
  elicitation: ElicitationAnswer,
  urlElicitation: UrlElicitationAnswer,
  arguments: ArgumentsAnswer,
} as const satisfies Record<AskKind, z.ZodType>;

export type AskOf<K extends AskKind> = Extract<Ask, { kind: K }>;
export type AnswerOf<K extends AskKind> = z.infer<(typeof answerSchemas)[K]>;
export type Answer = AnswerOf<AskKind>;

/** What a question is answered with when nobody can or will answer: Stop, quit, a closed window, a gone server. */
export const cancelAnswers: { [K in AskKind]: AnswerOf<K> } = {
  approval: { action: 'stop' },
  elicitation: { action: 'cancel' },
  urlElicitation: { action: 'cancel' },
  arguments: { action: 'cancel' },
};
