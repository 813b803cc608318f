import { create } from 'zustand';
import type { LogEntry, LogLevel } from '../../shared/logs.ts';
import { request } from './host.ts';

/** As many as the host keeps. */
const MAX_ENTRIES = 1000;

interface OpenLog {
  name: string;
  entries: LogEntry[];
  /** The least level that the server is asked for. */
  level: LogLevel;
}

/** The one log that is looked at; nothing is sent for any other. */
export const useLog = create<{ open: OpenLog | undefined }>(() => ({ open: undefined }));

/** Shows the log of a server and follows it until `closeLog`. */
export async function openLog(name: string): Promise<void> {
  await request('servers.followLog', { name, follow: true });
  const { entries, level } = await request('servers.log', { name });
  useLog.setState({ open: { name, entries, level } });
}

export async function closeLog(name: string): Promise<void> {
  if (useLog.getState().open?.name === name) useLog.setState({ open: undefined });
  await request('servers.followLog', { name, follow: false });
}

export async function setLogLevel(name: string, level: LogLevel): Promise<void> {
  await request('servers.setLogLevel', { name, level });
  useLog.setState(({ open }) => (open?.name === name ? { open: { ...open, level } } : {}));
}

export function addLogEntries({ name, entries }: { name: string; entries: LogEntry[] }): void {
  useLog.setState(({ open }) => {
    if (open?.name !== name) return {};
    const last = open.entries.at(-1)?.number ?? 0;
    // A restarted entry begins to count anew.
    const isAnew = (entries[0]?.number ?? 0) === 1;
    const news = isAnew ? entries : entries.filter(({ number }) => number > last);
    return { open: { ...open, entries: [...open.entries, ...news].slice(-MAX_ENTRIES) } };
  });
}
