import { useEffect, useState } from 'react';
import type { OwnMessage } from '../../shared/chat.ts';
import { act } from '../stores/app.ts';
import { useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';

/** All that the person wrote on the shown branch of the open conversation; undefined until it is there. */
export function useOwnMessages(): OwnMessage[] | undefined {
  const conversationId = useConversations(state => state.openId);
  const revision = useConversations(state => state.revision);
  const [own, setOwn] = useState<OwnMessage[]>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when something has changed
  useEffect(() => {
    if (conversationId === undefined) return setOwn([]);
    let isOld = false;
    act(request('conversations.own', { conversationId }).then(own => isOld || setOwn(own)));
    return () => {
      isOld = true;
    };
  }, [conversationId, revision]);
  return own;
}
