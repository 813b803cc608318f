import { create } from 'zustand';

/** How often each followed resource has changed, by server and address: whoever shows one reads it again. */
const useResourceUpdates = create<{ counts: Readonly<Record<string, number>> }>(() => ({ counts: {} }));

const keyOf = (server: string, uri: string) => JSON.stringify([server, uri]);

export function resourceUpdated({ server, uri }: { server: string; uri: string }): void {
  const key = keyOf(server, uri);
  useResourceUpdates.setState(({ counts }) => ({ counts: { ...counts, [key]: (counts[key] ?? 0) + 1 } }));
}

/** Grows each time the resource changes while it is followed. */
export function useUpdateCount(server: string, uri: string): number {
  return useResourceUpdates(({ counts }) => counts[keyOf(server, uri)] ?? 0);
}
