import { z } from 'zod';

/** What a person needs to know of a failure: a stable code, one sentence, and what to do about it. */
export const ErrorInfo = z.object({
  /** Stable, for programs: `server.notFound`, `config.syntax`, … */
  code: z.string(),
  message: z.string(),
  /** The next step for the person, as an instruction. */
  hint: z.string().optional(),
});
export type ErrorInfo = z.infer<typeof ErrorInfo>;

/** An error meant for a person's eyes. Every other error class that reaches the top is a bug. */
export class HostError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'HostError';
  }
}

/** Any thrown value as something that can be shown; unknown errors keep their message and get the code `internal`. */
export function toErrorInfo(error: unknown): ErrorInfo {
  if (error instanceof HostError) {
    return {
      code: error.code,
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    };
  }
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}
