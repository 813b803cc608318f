import { z } from 'zod';
import { JsonObject } from './tools.ts';

/** Text, image, audio, tool_use or tool_result of the sampling page; untrusted and otherwise as it came. */
export const SamplingBlock = z.looseObject({ type: z.string() });
export type SamplingBlock = z.infer<typeof SamplingBlock>;

export const SamplingMessage = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.array(SamplingBlock),
});
export type SamplingMessage = z.infer<typeof SamplingMessage>;

/** A tool of the server's own that the model may ask for; the server runs it, not Parley. */
export const SamplingTool = z.object({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: JsonObject,
});
export type SamplingTool = z.infer<typeof SamplingTool>;
