import { create } from 'zustand';
import type { Conversation, Message, TurnState } from '../../shared/chat.ts';
import { request } from './host.ts';

interface ConversationsState {
  /** Most recent first. */
  conversations: Conversation[];
  /** What runs; a conversation that is not in here is idle. */
  turns: Record<string, TurnState>;
  /** The one that is shown; undefined: a new one that has no message yet. */
  openId: string | undefined;
  /**
   * Some of the messages of the open conversation, one behind the other: those around what one looks at. Undefined while
   * they are being fetched.
   */
  messages: Message[] | undefined;
  /** The conversation has messages before the first of them, and behind the last. */
  hasEarlier: boolean;
  hasLater: boolean;
  /** The message that is to be shown as soon as it is there. */
  sought: string | undefined;
  /** The message that the person wrote last while this window was open. */
  written: string | undefined;
  /** Counts the changes of the open conversation's messages, also of those that are not kept here; text that grows is none. */
  revision: number;
  /** Arguments of tool calls while they are written, by `messageId index`. */
  writing: Record<string, string>;
}

/** Of a conversation without messages. */
export const noMessages: Pick<ConversationsState, 'messages' | 'hasEarlier' | 'hasLater'> = {
  messages: [],
  hasEarlier: false,
  hasLater: false,
};

export const useConversations = create<ConversationsState>(() => ({
  conversations: [],
  turns: {},
  openId: undefined,
  ...noMessages,
  sought: undefined,
  written: undefined,
  revision: 0,
  writing: {},
}));

/** Whether a message is the last one of the open conversation. */
export function isLast({ messages, hasLater }: ConversationsState, messageId: string): boolean {
  return !hasLater && messages?.at(-1)?.id === messageId;
}

/** Sends in the open conversation; the first message creates it. */
export async function sendMessage(text: string): Promise<void> {
  const conversationId = await ensureConversation();
  await request('chat.send', { conversationId, text });
}

/** The id of the open conversation, created if it has none yet. */
export async function ensureConversation(): Promise<string> {
  const { openId } = useConversations.getState();
  if (openId !== undefined) return openId;
  const { id } = await request('conversations.create');
  // The person may have opened another one meanwhile.
  if (useConversations.getState().openId === undefined)
    useConversations.setState({ openId: id, ...noMessages });
  return id;
}

export function putConversation(conversation: Conversation): void {
  useConversations.setState(({ conversations }) => ({
    conversations: [conversation, ...conversations.filter(({ id }) => id !== conversation.id)].sort(
      (a, b) => b.updatedAt - a.updatedAt,
    ),
  }));
}

export function dropConversation(id: string): void {
  const { openId } = useConversations.getState();
  useConversations.setState(({ conversations }) => ({
    conversations: conversations.filter(other => other.id !== id),
  }));
  if (openId === id) useConversations.setState({ openId: undefined, ...noMessages, writing: {} });
}

export function putTurn(turn: TurnState): void {
  useConversations.setState(({ turns }) => {
    const { [turn.conversationId]: _old, ...others } = turns;
    return { turns: turn.phase === 'idle' ? others : { ...others, [turn.conversationId]: turn } };
  });
}
