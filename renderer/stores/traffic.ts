import { create } from 'zustand';
import type { TrafficEntry } from '../../shared/traffic.ts';
import { request } from './host.ts';

/** As many as the host keeps. */
const MAX_ENTRIES = 1000;

interface OpenTraffic {
  name: string;
  entries: TrafficEntry[];
  /** Of a flood the host tells only the newest: the others are there when everything is read again. */
  missed: boolean;
}

/** The messages of the one server that are looked at; nothing is sent for any other. */
export const useTraffic = create<{ open: OpenTraffic | undefined }>(() => ({ open: undefined }));

/** Shows the messages of a server and follows them until `closeTraffic`; also reads all of them again. */
export async function openTraffic(name: string): Promise<void> {
  await request('servers.followTraffic', { name, follow: true });
  const { entries } = await request('servers.traffic', { name });
  useTraffic.setState({ open: { name, entries, missed: false } });
}

export async function closeTraffic(name: string): Promise<void> {
  if (useTraffic.getState().open?.name === name) useTraffic.setState({ open: undefined });
  await request('servers.followTraffic', { name, follow: false });
}

export async function clearTraffic(name: string): Promise<void> {
  await request('servers.clearTraffic', { name });
  useTraffic.setState(({ open }) =>
    open?.name === name ? { open: { name, entries: [], missed: false } } : {},
  );
}

export function addTraffic({ name, entries }: { name: string; entries: TrafficEntry[] }): void {
  useTraffic.setState(({ open }) => (open?.name === name ? { open: withNews(open, entries) } : {}));
}

function withNews(open: OpenTraffic, told: TrafficEntry[]): OpenTraffic {
  const { name, entries } = open;
  const last = entries.at(-1)?.number ?? 0;
  const [first] = told;
  if (!first) return open;
  // An entry that was edited begins to count anew.
  const same = entries.find(({ number }) => number === first.number);
  const isAnew = first.number <= last && same?.at !== first.at;
  if (isAnew) return { name, entries: told, missed: first.number > 1 };
  const news = told.filter(({ number }) => number > last);
  const missed = open.missed || (entries.length > 0 && first.number > last + 1);
  return { name, entries: [...withDurations(entries, news), ...news].slice(-MAX_ENTRIES), missed };
}

/** A request that is shown already learns from its answer how long that took. */
function withDurations(entries: TrafficEntry[], news: TrafficEntry[]): TrafficEntry[] {
  const durations = new Map(news.map(({ answers, durationMs }) => [answers, durationMs]));
  return entries.map(entry => {
    const durationMs = durations.get(entry.number);
    return durationMs === undefined ? entry : { ...entry, durationMs };
  });
}
