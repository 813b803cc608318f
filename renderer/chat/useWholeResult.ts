import { useEffect, useState } from 'react';
import type { ToolCallBlock, ToolResult } from '../../shared/chat.ts';
import { useAction } from '../settings/useAction.ts';
import { useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';

/** So much is fetched without being asked for, in characters: it takes no longer than a click. */
const MOST_AT_ONCE = 4_000_000;

/** Where a call is: `messageId index`. */
export function placeOf(cardKey: string): { messageId: string; index: number } {
  const [messageId = '', index] = cardKey.split(' ');
  return { messageId, index: Number(index) };
}

/**
 * The result of a call as the server sent it. Of one that is too large for its message only the beginning is there;
 * the whole comes by itself while `wanted`, or by `load` when it is so large that the person should decide.
 */
export function useWholeResult(call: ToolCallBlock, cardKey: string, wanted: boolean) {
  const conversationId = useConversations(state => state.openId);
  const [whole, setWhole] = useState<ToolResult>();
  const { run, busy, error } = useAction();
  const isAbridged = call.abridged !== undefined;
  const load = () =>
    run(async () => {
      if (conversationId === undefined) return;
      setWhole(await request('chat.result', { conversationId, ...placeOf(cardKey) }));
    });
  const comes = isAbridged && wanted && (call.abridged?.length ?? 0) <= MOST_AT_ONCE;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is wanted; a finished result never changes
  useEffect(() => {
    if (comes && !whole) void load();
  }, [comes]);
  return { result: isAbridged ? whole : call.result, comes, load, busy, error };
}
