import { z } from 'zod';

/** The levels of RFC 5424, from the least to the most severe. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
export const LogLevel = z.enum(logLevels);
export type LogLevel = z.infer<typeof LogLevel>;

/** One line or message of a server's log. Its text is untrusted; the secrets of the entry are hidden in it. */
export const LogEntry = z.object({
  /** Counts up by one within one run of Parley; a gap means that some were dropped. */
  number: z.number(),
  /** Ms since the epoch. */
  at: z.number(),
  level: LogLevel,
  /** server: a log message of the protocol. stdout: text that is no protocol. parley: what Parley noticed itself. */
  source: z.enum(['stderr', 'stdout', 'server', 'parley']),
  /** The part of the server that says it, as the server names it. */
  logger: z.string().optional(),
  text: z.string(),
});
export type LogEntry = z.infer<typeof LogEntry>;
export type LogSource = LogEntry['source'];

/** Whether `level` is at least as severe as `least`. */
export function isAtLeast(level: LogLevel, least: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(least);
}
