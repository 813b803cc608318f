import type { TrafficEntry } from '../../../shared/traffic.ts';

/** What is looked for among the messages of a server. */
export interface TrafficFilter {
  /** Anywhere in the method, the id or the message itself. */
  words: string;
  direction: 'all' | TrafficEntry['direction'];
  /** answers: with their errors. */
  kind: 'all' | 'requests' | 'answers' | 'errors' | 'notifications';
}

export const EVERYTHING: TrafficFilter = { words: '', direction: 'all', kind: 'all' };

const kinds: Record<TrafficFilter['kind'], readonly TrafficEntry['kind'][]> = {
  all: ['request', 'response', 'error', 'notification'],
  requests: ['request'],
  answers: ['response', 'error'],
  errors: ['error'],
  notifications: ['notification'],
};

/** The entries that fit, in their order. */
export function filterTraffic(
  entries: TrafficEntry[],
  { words, direction, kind }: TrafficFilter,
): TrafficEntry[] {
  const sought = words.trim().toLowerCase();
  return entries.filter(
    entry =>
      (direction === 'all' || entry.direction === direction) &&
      kinds[kind].includes(entry.kind) &&
      (sought === '' ||
        `${entry.method ?? ''} ${entry.id ?? ''} ${entry.text}`.toLowerCase().includes(sought)),
  );
}
