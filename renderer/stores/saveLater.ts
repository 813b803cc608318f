import type { Draft } from '../../shared/chat.ts';
import { act } from './app.ts';
import { request } from './host.ts';

/** Where something is written: in a conversation, or (undefined) in the next new one; or in a message that is edited. */
export interface Place {
  conversationId: string | undefined;
  messageId?: string;
}

/** What is written is not saved at each key. */
const PAUSE_MS = 300;

const unsaved = new Map<
  string,
  { place: Place; change: Partial<Draft>; timer: ReturnType<typeof setTimeout> }
>();

/** Saves a change of what is written, together with those that follow soon. */
export function saveLater(place: Place, change: Partial<Draft>): void {
  const key = keyOf(place);
  const { timer, change: earlier } = unsaved.get(key) ?? {};
  clearTimeout(timer);
  unsaved.set(key, {
    place,
    change: { ...earlier, ...change },
    timer: setTimeout(() => save(key), PAUSE_MS),
  });
}

/** Saves at once what waits to be: the window may be about to close. */
export function saveDrafts(): void {
  for (const key of unsaved.keys()) save(key);
}

function save(key: string): void {
  const waiting = unsaved.get(key);
  if (!waiting) return;
  clearTimeout(waiting.timer);
  unsaved.delete(key);
  act(request('drafts.save', { ...waiting.place, ...waiting.change }));
}

function keyOf({ conversationId = '', messageId = '' }: Place): string {
  return `${conversationId} ${messageId}`;
}
