import { act, go } from './app.ts';
import { useAsks } from './asks.ts';
import { useConversations } from './conversations.ts';
import { openConversation } from './openBranch.ts';

/** Brings the conversation that a question belongs to on the screen; one without is shown with any. */
export function showAsk(id: string): void {
  const ask = useAsks.getState().asks.find(one => one.id === id);
  if (!ask) return;
  go('chat');
  const { conversationId } = ask;
  if (conversationId !== undefined && conversationId !== useConversations.getState().openId)
    act(openConversation(conversationId));
}
