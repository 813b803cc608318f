import { z } from 'zod';
import { ToolDefinition } from './rules.ts';
import { SamplingBlock, SamplingMessage, SamplingTool } from './sampling.ts';
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

/*
 * Answers are strict: where any of them is allowed, none is taken for another one that holds less.
 */

/** May this tool run with these arguments? */
export const ApprovalAsk = z.object({
  ...common,
  kind: z.literal('approval'),
  /** The block of the conversation this is about. */
  callId: z.string(),
  tool: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  /** Exactly what will be sent, unless the person changes it. */
  args: JsonObject,
  /** As the server sent it: what changed arguments must fit. */
  inputSchema: JsonObject,
  /** The server's own claims. */
  annotations: ToolAnnotations.optional(),
  /** A standing answer would allow it, but the tool is not the one that it was given for. */
  change: z
    .object({
      /** Absent: the tool did not exist then, or what it was is not known any more. */
      before: ToolDefinition.optional(),
      now: ToolDefinition,
    })
    .optional(),
});
export const ApprovalAnswer = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.enum(['allow', 'allowInConversation', 'allowAlways']),
    /** What is to be sent instead; it must fit the tool's schema. */
    args: JsonObject.optional(),
  }),
  z.strictObject({ action: z.literal('deny') }),
  z.strictObject({ action: z.literal('stop') }),
]);

/** A server wants structured input. `schema` is the restricted JSON Schema of the elicitation page. */
export const ElicitationAsk = z.object({
  ...common,
  kind: z.literal('elicitation'),
  message: z.string(),
  schema: JsonObject,
});
export const ElicitationAnswer = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('accept'), content: JsonObject }),
  z.strictObject({ action: z.literal('decline') }),
  z.strictObject({ action: z.literal('cancel') }),
]);

/** A server wants a page opened outside Parley. accept: the person agreed and the page was opened. */
export const UrlElicitationAsk = z.object({
  ...common,
  kind: z.literal('urlElicitation'),
  message: z.string(),
  url: z.string(),
  /** Where a remote server is itself: a page that only looks as if it were there is suspicious. */
  serverHost: z.string().optional(),
  /** The person said that they had finished on this very page, and the server asks for it again. */
  again: z.boolean().optional(),
});
export const UrlElicitationAnswer = z.strictObject({ action: z.enum(['accept', 'decline', 'cancel']) });

/** The page has been opened; only the person, or a server that tells, knows when they are done there. */
export const UrlWaitingAsk = z.object({
  ...common,
  kind: z.literal('urlWaiting'),
  url: z.string(),
  /** The browser could not be opened: the person can still go there by themselves. */
  failed: z.boolean().optional(),
});
export const UrlWaitingAnswer = z.strictObject({ action: z.enum(['finished', 'openAgain', 'cancel']) });

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
  z.strictObject({ action: z.literal('accept'), content: JsonObject }),
  z.strictObject({ action: z.literal('cancel') }),
]);

/** A server wants the language model to complete a prompt. Nothing has been sent yet. */
export const SamplingAsk = z.object({
  ...common,
  kind: z.literal('sampling'),
  /** The model that will answer unless the person chooses another one of `models`. */
  model: z.string(),
  models: z.array(z.string()),
  /** The models that the server would like, in its words. */
  hints: z.array(z.string()),
  /** Empty: none. */
  systemPrompt: z.string(),
  messages: z.array(SamplingMessage),
  tools: z.array(SamplingTool),
  /** The most that the answer may have; the person can lower it. */
  maxTokens: z.number().int().positive(),
});
export const SamplingAnswer = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('allow'),
    model: z.string(),
    systemPrompt: z.string(),
    messages: z.array(SamplingMessage),
    maxTokens: z.number().int().positive(),
  }),
  z.strictObject({ action: z.literal('deny') }),
]);

/** What the model answered, before the server gets it. */
export const SamplingResultAsk = z.object({
  ...common,
  kind: z.literal('samplingResult'),
  model: z.string(),
  content: z.array(SamplingBlock),
  stopReason: z.string(),
});
export const SamplingResultAnswer = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('allow'), content: z.array(SamplingBlock) }),
  z.strictObject({ action: z.literal('deny') }),
]);

/** A remote server wants the person to be signed in. Nothing has been opened yet. */
export const SignInAsk = z.object({
  ...common,
  kind: z.literal('signIn'),
  /** The page of the authorization server. */
  url: z.string(),
  /** The address of the MCP server. */
  serverUrl: z.string(),
  /** The rights that are asked for, in the server's words. */
  scope: z.string().optional(),
  /** The person is signed in, and the server wants more rights than they gave. */
  more: z.boolean().optional(),
  /** This machine cannot encrypt: the person decides whether the sign-in outlives this run of Parley. */
  canEncrypt: z.boolean(),
});
export const SignInAnswer = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('open'), acceptPlain: z.boolean() }),
  z.strictObject({ action: z.literal('cancel') }),
]);

/** The page has been opened, and Parley waits for the browser to come back. Ends by itself when it does. */
export const SignInWaitingAsk = z.object({ ...common, kind: z.literal('signInWaiting'), url: z.string() });
export const SignInWaitingAnswer = z.strictObject({ action: z.enum(['openAgain', 'cancel']) });

/** The entry of a server refers to a secret that is not stored. */
export const SecretAsk = z.object({
  ...common,
  kind: z.literal('secret'),
  /** As it is written in servers.json: `${secret:NAME}`. */
  name: z.string(),
  /** What it is for, such as “the header Authorization”. */
  usedFor: z.string(),
  canEncrypt: z.boolean(),
});
export const SecretAnswer = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('give'), value: z.string().min(1), acceptPlain: z.boolean() }),
  z.strictObject({ action: z.literal('cancel') }),
]);

/** A call has been silent for as long as its server may be. Without an answer in time it is cancelled. */
export const KeepWaitingAsk = z.object({
  ...common,
  kind: z.literal('keepWaiting'),
  /** The block of the conversation this is about. */
  callId: z.string(),
  tool: z.string(),
  silentMs: z.number(),
});
export const KeepWaitingAnswer = z.strictObject({ action: z.enum(['keepWaiting', 'stop']) });

export const Ask = z.discriminatedUnion('kind', [
  ApprovalAsk,
  ElicitationAsk,
  UrlElicitationAsk,
  UrlWaitingAsk,
  ArgumentsAsk,
  SamplingAsk,
  SamplingResultAsk,
  SignInAsk,
  SignInWaitingAsk,
  SecretAsk,
  KeepWaitingAsk,
]);
export type Ask = z.infer<typeof Ask>;
export type AskKind = Ask['kind'];

/** The schema of the answer to each kind of question. */
export const answerSchemas = {
  approval: ApprovalAnswer,
  elicitation: ElicitationAnswer,
  urlElicitation: UrlElicitationAnswer,
  urlWaiting: UrlWaitingAnswer,
  arguments: ArgumentsAnswer,
  sampling: SamplingAnswer,
  samplingResult: SamplingResultAnswer,
  signIn: SignInAnswer,
  signInWaiting: SignInWaitingAnswer,
  secret: SecretAnswer,
  keepWaiting: KeepWaitingAnswer,
} as const satisfies Record<AskKind, z.ZodType>;

export type AskOf<K extends AskKind> = Extract<Ask, { kind: K }>;
export type AnswerOf<K extends AskKind> = z.infer<(typeof answerSchemas)[K]>;
export type Answer = AnswerOf<AskKind>;

/** What a question is answered with when nobody can or will answer: Stop, quit, a closed window, a gone server. */
export const cancelAnswers: { [K in AskKind]: AnswerOf<K> } = {
  approval: { action: 'stop' },
  elicitation: { action: 'cancel' },
  urlElicitation: { action: 'cancel' },
  urlWaiting: { action: 'cancel' },
  arguments: { action: 'cancel' },
  sampling: { action: 'deny' },
  samplingResult: { action: 'deny' },
  signIn: { action: 'cancel' },
  signInWaiting: { action: 'cancel' },
  secret: { action: 'cancel' },
  keepWaiting: { action: 'stop' },
};

/**
 * How one says no to what a server itself asks. The other questions are Parley's own, about what the model or the
 * person began: no server can flood anybody with those.
 */
export const declineAnswers: { [K in AskKind]?: AnswerOf<K> } = {
  elicitation: { action: 'decline' },
  urlElicitation: { action: 'decline' },
  sampling: { action: 'deny' },
};

/** Whether it says no, in whatever way: that can be said at any time, and agreeing cannot. */
export function isRefusal({ action }: Answer): boolean {
  return action === 'deny' || action === 'stop' || action === 'decline' || action === 'cancel';
}
