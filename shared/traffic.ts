import { z } from 'zod';

/** One message between Parley and a server, as it went over the wire. Its text is untrusted; secrets are hidden in it. */
export const TrafficEntry = z.object({
  /** Counts up by one within one run of Parley; a gap means that some were dropped. */
  number: z.number(),
  /** Ms since the epoch. */
  at: z.number(),
  /** sent: by Parley. */
  direction: z.enum(['sent', 'received']),
  /** error: an answer that is an error, or over HTTP no message at all. */
  kind: z.enum(['request', 'response', 'error', 'notification']),
  /** Of an answer: that of its request. */
  method: z.string().optional(),
  id: z.union([z.string(), z.number()]).optional(),
  /** Of an answer: the number of the entry that it answers. */
  answers: z.number().optional(),
  /** From a request to its answer, in ms; at both, once there is one. */
  durationMs: z.number().optional(),
  /** HTTP status of an answer that is an error for HTTP too, or no message. */
  status: z.number().optional(),
  /** The length of the whole message in UTF-8. */
  bytes: z.number(),
  /** The message as JSON, or what came in place of one. */
  text: z.string(),
  /** The text is only the beginning; what was open at the cut is closed. */
  isCut: z.boolean(),
});
export type TrafficEntry = z.infer<typeof TrafficEntry>;
export type TrafficDirection = TrafficEntry['direction'];
export type TrafficKind = TrafficEntry['kind'];
