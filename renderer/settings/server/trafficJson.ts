import type { TrafficEntry } from '../../../shared/traffic.ts';

/** The message itself, or the text that came in place of one. */
export function messageOf({ text }: TrafficEntry): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // Such as the page of a gateway.
  }
}

/** Messages as JSON for other programs and people: with what is known about each, the message itself last. */
export function trafficJson(entries: TrafficEntry[]): string {
  return JSON.stringify(entries.map(copied), null, 2);
}

/** One message in the same form. */
export function entryJson(entry: TrafficEntry): string {
  return JSON.stringify(copied(entry), null, 2);
}

function copied(entry: TrafficEntry) {
  const { at, text: _text, isCut, ...known } = entry;
  return {
    time: new Date(at).toISOString(),
    ...known,
    ...(isCut ? { isCut } : {}),
    message: messageOf(entry),
  };
}
