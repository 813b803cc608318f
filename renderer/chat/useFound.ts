import { useEffect, useState } from 'react';
import type { FoundMessage } from '../../shared/chat.ts';
import { act } from '../stores/app.ts';
import { useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';

/** For so long nothing more is typed before a text is looked for; in ms. */
const PAUSE = 120;

/**
 * The messages of the open conversation in which a text stands, oldest first; looked for again when something has changed
 * there. Undefined while the first answer for this text has not come.
 */
export function useFound(query: string): FoundMessage[] | undefined {
  const conversationId = useConversations(state => state.openId);
  const revision = useConversations(state => state.revision);
  const [result, setResult] = useState<{ query: string; found: FoundMessage[] }>();
  const isNothing = query.trim() === '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for again when something has changed
  useEffect(() => {
    if (conversationId === undefined || isNothing) return;
    let isOld = false;
    const timer = setTimeout(() => {
      act(
        request('conversations.find', { conversationId, query }).then(
          found => isOld || setResult({ query, found }),
        ),
      );
    }, PAUSE);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [conversationId, query, isNothing, revision]);
  if (isNothing) return [];
  return result?.query === query ? result.found : undefined;
}
