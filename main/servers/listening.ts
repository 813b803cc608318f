import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  ProtocolError,
  ProtocolErrorCode,
  type SubscriptionFilter,
} from '@modelcontextprotocol/client';
import { messageOf } from './failures.ts';
import type { ServerLog } from './serverLog.ts';

const REOPEN_PAUSES_MS = [500, 1000, 2000, 5000, 10_000, 30_000];
/** A subscription that lasted this long was a good one: the next pause is a short one again. */
const STABLE_MS = 30_000;

/**
 * Keeps a subscription of a modern server open until `signal` fires: a stream that drops is opened again, one that the
 * server ends is not. Whatever happened before an opening was not told: `onOpen` is where to look.
 * @see the subscriptions page of the specification
 */
export async function keepListening(
  client: Client,
  filter: SubscriptionFilter,
  log: ServerLog,
  signal: AbortSignal,
  on: {
    /** The server has agreed to tell of these. */
    open(honoured: SubscriptionFilter): void;
    /** It does not tell any more, for now or for good. */
    lost(): void;
  },
): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    const since = Date.now();
    try {
      const subscription = await client.listen(filter, { signal });
      on.open(subscription.honoredFilter);
      const end = await subscription.closed;
      on.lost();
      if (end !== 'remote') return;
    } catch (error) {
      if (signal.aborted) return;
      on.lost();
      log.note(`A subscription failed: ${messageOf(error)}`);
      if (error instanceof ProtocolError && error.code === ProtocolErrorCode.MethodNotFound) return;
    }
    if (Date.now() - since > STABLE_MS) attempt = 0;
    const pause = REOPEN_PAUSES_MS[Math.min(attempt, REOPEN_PAUSES_MS.length - 1)];
    await sleep(pause, undefined, { signal }).catch(() => undefined); // Only the end ends it.
  }
}
