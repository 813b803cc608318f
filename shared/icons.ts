import { z } from 'zod';

/** A picture that a server gave to something it offers: untrusted, and nothing is fetched for having one. */
export const Icon = z.object({
  /** `data:` or `https:`; nothing else is kept. */
  src: z.string(),
  mimeType: z.string().optional(),
  /** Such as `48x48` or `any`. */
  sizes: z.array(z.string()).optional(),
  theme: z.enum(['light', 'dark']).optional(),
});
export type Icon = z.infer<typeof Icon>;
