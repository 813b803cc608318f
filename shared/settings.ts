import { z } from 'zod';
import { Prices } from './prices.ts';

/** The model name that stands for the embedded default, which is no language model. */
export const GUIDE = 'guide';

const PictureHost = z.string().min(1).max(300);

/** Whether the model gets all tools, or a few and searches the others. automatic: where they would take much of its window. */
export const ToolSearch = z.enum(['always', 'automatic', 'never']);
export type ToolSearch = z.infer<typeof ToolSearch>;

/** What settings.json holds. No secret is in it. */
export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** A model id of the endpoint, or `guide`. Absent: the newest model when there is a key, else the Guide. */
  model: z.string().optional(),
  /** Any endpoint that speaks the Anthropic Messages API; absent = the environment's or the provider's own. */
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Upper bound for one answer, in tokens. */
  maxTokens: z.number().int().min(256).max(128_000).default(16_000),
  /** Whether the messages between Parley and the servers are kept in memory, to be looked at. */
  recordTraffic: z.boolean().default(true),
  /** Prices that the person set: they win over the provider's list. */
  prices: Prices.default({}),
  /** Whether the model names a conversation after its first answer. */
  nameConversations: z.boolean().default(true),
  /** Whether earlier messages are summarised when a conversation comes near the end of the model's window. */
  autoSummarise: z.boolean().default(true),
  /** How near, in percent of the window. */
  summariseAt: z.number().int().min(20).max(95).default(80),
  /** The hosts, with a port where one is given, whose pictures are shown without a question. */
  pictureHosts: z.array(PictureHost).default([]),
  toolSearch: ToolSearch.default('automatic'),
});
export type Settings = z.infer<typeof Settings>;

/** A change to settings; `null` clears an optional one. */
export const SettingsPatch = z.object({
  theme: z.enum(['system', 'light', 'dark']).optional(),
  model: z.string().nullable().optional(),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .optional(),
  maxTokens: z.number().int().min(256).max(128_000).optional(),
  recordTraffic: z.boolean().optional(),
  /** Replaces all of them. */
  prices: Prices.optional(),
  nameConversations: z.boolean().optional(),
  autoSummarise: z.boolean().optional(),
  summariseAt: z.number().int().min(20).max(95).optional(),
  /** Replaces all of them. */
  pictureHosts: z.array(PictureHost).max(1000).optional(),
  toolSearch: ToolSearch.optional(),
});
export type SettingsPatch = z.infer<typeof SettingsPatch>;

/** The state of the model connection as the person may see it: where things come from, never the secrets. */
export const ModelStatus = z.object({
  /** The model the next message goes to: an id or `guide`. */
  model: z.string(),
  /** Where the API key comes from. session: kept in memory only. plain: on disk without encryption, by consent. */
  key: z.enum(['none', 'environment', 'encrypted', 'plain', 'session']),
  baseUrl: z.string(),
  baseUrlFrom: z.enum(['default', 'environment', 'settings']),
  /** Names of the extra request headers; their values stay in the main process. */
  headers: z.array(z.string()),
  /** Whether this machine can encrypt secrets at rest. */
  encryption: z.boolean(),
});
export type ModelStatus = z.infer<typeof ModelStatus>;

export const ModelInfo = z.object({ id: z.string(), name: z.string() });
export type ModelInfo = z.infer<typeof ModelInfo>;

/** The models to choose from; `fallback` says that the endpoint could not be asked and why. */
export const ModelList = z.object({ models: z.array(ModelInfo), fallback: z.string().optional() });
export type ModelList = z.infer<typeof ModelList>;
