/** What a server offers beside tools: resources, templates of resources, prompts. All of it is untrusted text. */
import { z } from 'zod';
import { Icon } from './icons.ts';

/** The server's own hints on who something is for, and how important it is. */
export const Annotations = z.object({
  audience: z.array(z.enum(['user', 'assistant'])).optional(),
  /** 0 (may be left out) to 1 (should be there). */
  priority: z.number().min(0).max(1).optional(),
  lastModified: z.string().optional(),
});
export type Annotations = z.infer<typeof Annotations>;

const described = {
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  icons: z.array(Icon).optional(),
};

export const ResourceInfo = z.object({
  uri: z.string(),
  ...described,
  mimeType: z.string().optional(),
  /** Bytes, as the server says. */
  size: z.number().optional(),
  annotations: Annotations.optional(),
});
export type ResourceInfo = z.infer<typeof ResourceInfo>;

export const TemplateInfo = z.object({
  uriTemplate: z.string(),
  ...described,
  mimeType: z.string().optional(),
  annotations: Annotations.optional(),
  /** What has to be filled in, in the order of the template. */
  variables: z.array(z.string()),
});
export type TemplateInfo = z.infer<typeof TemplateInfo>;

export const PromptArgument = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  required: z.boolean(),
});
export type PromptArgument = z.infer<typeof PromptArgument>;

export const PromptInfo = z.object({ ...described, arguments: z.array(PromptArgument) });
export type PromptInfo = z.infer<typeof PromptInfo>;

/** Everything a server offers beside tools, as it listed it last. */
export const Offers = z.object({
  resources: z.array(ResourceInfo),
  templates: z.array(TemplateInfo),
  prompts: z.array(PromptInfo),
  /** Whether a resource can be followed: the server tells then when it has changed. */
  canFollow: z.boolean(),
  /** Whether the server completes arguments. */
  canComplete: z.boolean(),
  /** The addresses that are followed now. */
  followed: z.array(z.string()),
});
export type Offers = z.infer<typeof Offers>;

/** One part of what was read: text, or data in base64; neither where the server sent something else. */
export const ResourceContents = z.object({
  uri: z.string(),
  mimeType: z.string().optional(),
  text: z.string().optional(),
  blob: z.string().optional(),
});
export type ResourceContents = z.infer<typeof ResourceContents>;

/** What a prompt turned into: messages to be looked at before anything is done with them. */
export const PromptResult = z.object({
  description: z.string().optional(),
  messages: z.array(
    z.object({
      role: z.enum(['user', 'assistant']),
      content: z.looseObject({ type: z.string() }),
    }),
  ),
});
export type PromptResult = z.infer<typeof PromptResult>;

/** Whose argument is completed: a prompt by its name, or a template by its text. */
export const CompletionRef = z.discriminatedUnion('type', [
  z.object({ type: z.literal('prompt'), name: z.string() }),
  z.object({ type: z.literal('resource'), uri: z.string() }),
]);
export type CompletionRef = z.infer<typeof CompletionRef>;

export const Completion = z.object({
  /** Best first, at most 100. */
  values: z.array(z.string()),
  /** How many there are in all, where the server says so. */
  total: z.number().optional(),
  hasMore: z.boolean(),
});
export type Completion = z.infer<typeof Completion>;

/** Arguments of prompts and templates are text. */
export const TextArguments = z.record(z.string(), z.string());
export type TextArguments = z.infer<typeof TextArguments>;
