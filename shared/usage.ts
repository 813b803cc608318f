import { z } from 'zod';

const tokens = z.number().int().nonnegative();

/** What one request took, in tokens as its endpoint counted them. The four are disjoint. */
export const Usage = z.object({
  /** Of the prompt: neither read from the prompt cache nor written to it. */
  input: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  output: tokens,
});
export type Usage = z.infer<typeof Usage>;

/** All that the model read, from wherever. */
export function promptTokens({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}

/** How much of the prompts came from the cache, from 0 to 1; undefined when there was no prompt. */
export function cacheHitRate(usage: Usage): number | undefined {
  const all = promptTokens(usage);
  return all === 0 ? undefined : usage.cacheRead / all;
}
