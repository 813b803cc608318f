import { setTimeout as sleep } from 'node:timers/promises';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { messageOf } from './failures.ts';
import { type Lists, readLists } from './lists.ts';
import type { ServerLog } from './serverLog.ts';
import type { Session } from './session.ts';

/** Several changes at once are one. */
const GATHER_MS = 50;
const REOPEN_PAUSES_MS = [500, 1000, 2000, 5000, 10_000, 30_000];
/** A subscription that lasted this long was a good one: the next pause is a short one again. */
const STABLE_MS = 30_000;

/**
 * Keeps the lists of a session fresh, until it is over: a legacy server sends notifications by itself, a modern one
 * through a subscription. `onLists` gets each newly read set.
 * @see the subscriptions page of the specification
 */
export function followLists(session: Session, log: ServerLog, onLists: (lists: Lists) => void): void {
  const { client, over, listChanges } = session;
  let timer: NodeJS.Timeout | undefined;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      readLists(client, over).then(
        lists => over.aborted || onLists(lists),
        (error: unknown) => over.aborted || log.add(`[parley] Reading the lists failed: ${messageOf(error)}`),
      );
    }, GATHER_MS);
  };
  over.addEventListener('abort', () => clearTimeout(timer), { once: true });
  listChanges.onChange = changed;
  if (listChanges.missed) changed();
  void subscribe(session, log, changed);
}

/** A stream that drops is opened again, and what may have been missed is read; one that ends is not. */
async function subscribe({ client, over }: Session, log: ServerLog, onMissed: () => void): Promise<void> {
  const offered = client.getServerCapabilities();
  const filter = {
    ...(offered?.tools?.listChanged ? { toolsListChanged: true } : {}),
    ...(offered?.prompts?.listChanged ? { promptsListChanged: true } : {}),
    ...(offered?.resources?.listChanged ? { resourcesListChanged: true } : {}),
  };
  if (client.getProtocolEra() !== 'modern' || Object.keys(filter).length === 0) return;
  for (let attempt = 0, isFirst = true; !over.aborted; attempt++, isFirst = false) {
    const since = Date.now();
    try {
      const subscription = await client.listen(filter, { signal: over });
      if (!isFirst) onMissed();
      if ((await subscription.closed) !== 'remote') return;
    } catch (error) {
      if (over.aborted) return;
      log.add(`[parley] The subscription to list changes failed: ${messageOf(error)}`);
      if (error instanceof ProtocolError && error.code === ProtocolErrorCode.MethodNotFound) return;
    }
    if (Date.now() - since > STABLE_MS) attempt = 0;
    const pause = REOPEN_PAUSES_MS[Math.min(attempt, REOPEN_PAUSES_MS.length - 1)];
    await sleep(pause, undefined, { signal: over }).catch(() => undefined); // Only the end of the session ends it.
  }
}
