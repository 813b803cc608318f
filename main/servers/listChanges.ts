import { StreamableHTTPClientTransport, type SubscriptionFilter } from '@modelcontextprotocol/client';
import { messageOf } from './failures.ts';
import { keepListening } from './listening.ts';
import { areSameLists, type Lists, readLists } from './lists.ts';
import { pollPause } from './polling.ts';
import type { ServerLog } from './serverLog.ts';
import type { Session } from './session.ts';

/** Several changes at once are one. */
const GATHER_MS = 50;
/** A server that tells of changes without end is read less and less often, until it is quiet for as long. */
const LONGEST_GATHER_MS = 10_000;
/** Whoever looks again this soon sees the same: lists that differ each time are not read without end. */
const RECENT_MS = 1000;

/** What keeps the lists of one session fresh. */
export interface ListFollower {
  /** The lists as they are now: as they were read, where the server tells of changes or calls them fresh; else anew. */
  current(): Promise<Lists>;
  /** Reads them anew. */
  refresh(): Promise<Lists>;
}

/**
 * Keeps the lists of a session fresh, until it is over. A legacy server sends notifications by itself, a modern one
 * through a subscription; where neither is to be had, the lists are looked at from time to time and when they are
 * needed. `onLists` gets each set that is different.
 * @see the subscriptions and caching pages of the specification
 */
export function followLists(session: Session, log: ServerLog, onLists: (lists: Lists) => void): ListFollower {
  const { client, over, listChanges } = session;
  const wanted = wantedFilter(session);
  let lists = session.lists;
  /** Every declared list's changes are told. */
  let told = false;
  let unchanged = 0;
  let readAt = Date.now();
  let reading: Promise<Lists> | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let polling: NodeJS.Timeout | undefined;

  const read = () => {
    reading ??= readLists(client, over)
      .then(next => {
        const isSame = areSameLists(lists, next);
        unchanged = isSame ? unchanged + 1 : 0;
        // The same lists are the same objects: what was made of them is still good.
        lists = isSame ? { ...lists, freshUntil: next.freshUntil } : next;
        if (!isSame && !over.aborted) onLists(lists);
        return lists;
      })
      .finally(() => {
        reading = undefined;
        readAt = Date.now();
        poll();
      });
    return reading;
  };
  let gatherMs = GATHER_MS;
  const changed = () => {
    if (gathering) return;
    gatherMs = Date.now() - readAt > Math.max(RECENT_MS, gatherMs * 2) ? GATHER_MS : gatherMs * 2;
    const pause = Math.min(gatherMs, LONGEST_GATHER_MS);
    gathering = setTimeout(async () => {
      gathering = undefined;
      // One that began before the change may not have seen it.
      await reading?.catch(() => undefined);
      read().catch(
        (error: unknown) => over.aborted || log.note(`Reading the lists failed: ${messageOf(error)}`),
      );
    }, pause);
  };
  const poll = () => {
    clearTimeout(polling);
    const freshFor = lists.freshUntil - Date.now();
    // A server that promises nothing and calls nothing fresh has lists that stay as they are.
    if (over.aborted || told || !wanted || (!wanted.promised && freshFor <= 0)) return;
    polling = setTimeout(changed, Math.min(pollPause(freshFor, unchanged), 2 ** 31 - 1));
  };

  over.addEventListener(
    'abort',
    () => {
      clearTimeout(gathering);
      clearTimeout(polling);
    },
    { once: true },
  );
  listChanges.onChange = changed;
  if (listChanges.missed) changed();
  if (!wanted) told = declaresAll(session);
  else if (wanted.promised)
    void keepListening(client, wanted.filter, log, over, {
      open(honoured) {
        told =
          wanted.isAll && Object.keys(wanted.filter).every(key => honoured[key as keyof typeof honoured]);
        // Nobody told of what changed between the first reading and now.
        changed();
      },
      lost() {
        told = false;
        poll();
      },
    });
  poll();

  return {
    refresh: read,
    async current() {
      if (reading) return reading;
      const isGood = told || Date.now() < Math.max(lists.freshUntil, readAt + RECENT_MS);
      return isGood ? lists : read();
    },
  };
}

/** What to ask a modern server for; undefined for a legacy one, which is not asked. */
function wantedFilter({ client }: Session) {
  if (client.getProtocolEra() !== 'modern') return undefined;
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const filter: SubscriptionFilter = {
    ...(tools?.listChanged ? { toolsListChanged: true } : {}),
    ...(prompts?.listChanged ? { promptsListChanged: true } : {}),
    ...(resources?.listChanged ? { resourcesListChanged: true } : {}),
  };
  const promised = Object.keys(filter).length;
  const declared = [tools, prompts, resources].filter(Boolean).length;
  return { filter, promised: promised > 0, isAll: promised === declared };
}

/** A legacy server over HTTP may have no stream to tell on, whatever it declares. */
function declaresAll({ client }: Session): boolean {
  if (client.transport instanceof StreamableHTTPClientTransport) return false;
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  return [tools, prompts, resources].every(one => !one || one.listChanged === true);
}
