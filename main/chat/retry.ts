/** When and how long to wait before a request is sent again. */

export interface RetryPolicy {
  /** How often a request is sent at most, the first time included. */
  attempts: number;
  /** The first pause in ms; each further one is twice as long, with some chance in it. */
  firstPauseMs: number;
  longestPauseMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 6, firstPauseMs: 1000, longestPauseMs: 30_000 };

/** A person does not sit through a longer pause than this; a server that wants one gets no further request. */
const LONGEST_WISH_MS = 5 * 60_000;

/**
 * The pause in ms after attempt number `attempt` failed; undefined when there is to be no further one.
 * `wishMs`: how long the server asked us to wait.
 */
export function pauseAfter(attempt: number, wishMs: number | undefined, policy: RetryPolicy) {
  if (attempt >= policy.attempts || (wishMs ?? 0) > LONGEST_WISH_MS) return undefined;
  if (wishMs !== undefined) return wishMs;
  const full = Math.min(policy.firstPauseMs * 2 ** (attempt - 1), policy.longestPauseMs);
  // Many hosts that failed together must not come back together.
  return Math.round(full * (0.75 + Math.random() * 0.25));
}

/** What `retry-after-ms` or `retry-after` (seconds or a date, RFC 9110 §10.2.3) asks for, in ms from now. */
export function retryAfterMs(headers: Headers | undefined): number | undefined {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (ms >= 0) return ms;
  const after = headers?.get('retry-after')?.trim();
  if (!after) return undefined;
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Resolves at `at` (ms since the epoch); throws the signal's reason at once when it fires. */
export async function pauseUntil(at: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.max(0, at - Date.now()),
    );
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
