import { create } from 'zustand';
import type { Conversation, Delta, Message, TurnState } from '../../shared/chat.ts';
import { request } from './host.ts';

interface ConversationsState {
  /** Most recent first. */
  conversations: Conversation[];
  /** What runs; a conversation that is not in here is idle. */
  turns: Record<string, TurnState>;
  /** The one that is shown; undefined: a new one that has no message yet. */
  openId: string | undefined;
  /** Of the open conversation; undefined while they are being fetched. */
  messages: Message[] | undefined;
  /** The message that is to be shown as soon as it is there. */
  sought: string | undefined;
  /** Arguments of tool calls while they are written, by `messageId index`. */
  writing: Record<string, string>;
}

export const useConversations = create<ConversationsState>(() => ({
  conversations: [],
  turns: {},
  openId: undefined,
  messages: [],
  sought: undefined,
  writing: {},
}));

/** Shows a conversation, at one of its messages if wished; with `undefined` an empty one that its first message creates. */
export async function openConversation(id: string | undefined, sought?: string): Promise<void> {
  const { openId, messages } = useConversations.getState();
  if (id === undefined) return useConversations.setState({ openId: id, messages: [], sought, writing: {} });
  if (sought === undefined || id !== openId || !messages) await fetchMessages(id, sought === undefined);
  if (sought !== undefined && useConversations.getState().openId === id) await seek(id, sought);
}

/** So many are shown before the others are there: a long conversation opens as fast as a short one. */
const FIRST = 100;

async function fetchMessages(id: string, lastFirst: boolean): Promise<void> {
  useConversations.setState({ openId: id, messages: undefined, sought: undefined, writing: {} });
  try {
    const isOpen = () => useConversations.getState().openId === id;
    if (lastFirst) {
      const messages = await request('conversations.messages', { conversationId: id, last: FIRST });
      if (!isOpen()) return;
      useConversations.setState({ messages });
      if (messages.length < FIRST) return;
      await painted();
      if (!isOpen()) return;
    }
    const messages = await request('conversations.messages', { conversationId: id });
    if (isOpen()) useConversations.setState({ messages });
  } catch (error) {
    if (useConversations.getState().openId === id)
      useConversations.setState({ openId: undefined, messages: [] });
    throw error;
  }
}

/** Until what is there has been shown; at once where nothing is shown, as in a window that is hidden. */
function painted(): Promise<void> {
  if (typeof document === 'undefined' || document.hidden) return Promise.resolve();
  return new Promise(done => requestAnimationFrame(() => setTimeout(done)));
}

/** Shows a message of the open conversation, which may be on another branch. */
async function seek(conversationId: string, messageId: string): Promise<void> {
  useConversations.setState({ sought: messageId });
  if (useConversations.getState().messages?.some(({ id }) => id === messageId)) return;
  try {
    await request('conversations.showMessage', { conversationId, messageId });
  } catch (error) {
    useConversations.setState({ sought: undefined });
    throw error;
  }
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
    useConversations.setState({ openId: id, messages: [] });
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
  if (openId === id) useConversations.setState({ openId: undefined, messages: [], writing: {} });
}

export function putTurn(turn: TurnState): void {
  useConversations.setState(({ turns }) => {
    const { [turn.conversationId]: _old, ...others } = turns;
    return { turns: turn.phase === 'idle' ? others : { ...others, [turn.conversationId]: turn } };
  });
}

/** Replaces a message of the open conversation, or adds it behind the one it follows, where the branch ends with it. */
export function putMessage(message: Message): void {
  changeMessages(message.conversationId, messages => {
    const at = messages.findLastIndex(({ id }) => id === message.id);
    return at === -1 ? withBranch(messages, message.parentId, [message]) : messages.with(at, message);
  });
}

/** Another branch of the open conversation is shown from behind the message `after` on. */
export function putBranch(conversationId: string, after: string | undefined, branch: Message[]): void {
  changeMessages(conversationId, messages => withBranch(messages, after, branch));
}

function withBranch(messages: Message[], after: string | undefined, branch: Message[]): Message[] {
  const end = after === undefined ? 0 : messages.findLastIndex(({ id }) => id === after) + 1;
  return after !== undefined && end === 0 ? messages : [...messages.slice(0, end), ...branch];
}

export function putBlock(
  conversationId: string,
  messageId: string,
  index: number,
  block: Message['blocks'][number],
): void {
  changeMessage(conversationId, messageId, message => {
    const blocks = [...message.blocks];
    blocks[index] = block;
    return { ...message, blocks };
  });
  const key = `${messageId} ${index}`;
  if (key in useConversations.getState().writing) {
    useConversations.setState(({ writing: { [key]: _done, ...others } }) => ({ writing: others }));
  }
}

export function appendDelta({ conversationId, messageId, index, kind, text }: Delta): void {
  if (useConversations.getState().openId !== conversationId) return;
  if (kind === 'input') {
    const key = `${messageId} ${index}`;
    useConversations.setState(({ writing }) => ({
      writing: { ...writing, [key]: (writing[key] ?? '') + text },
    }));
    return;
  }
  changeMessage(conversationId, messageId, message => {
    const block = message.blocks[index];
    if (block?.type !== kind) return message;
    return { ...message, blocks: message.blocks.with(index, { ...block, text: block.text + text }) };
  });
}

function changeMessage(
  conversationId: string,
  messageId: string,
  change: (message: Message) => Message,
): void {
  changeMessages(conversationId, messages => {
    const at = messages.findLastIndex(({ id }) => id === messageId);
    const message = messages[at];
    return message ? messages.with(at, change(message)) : messages;
  });
}

function changeMessages(conversationId: string, change: (messages: Message[]) => Message[]): void {
  useConversations.setState(({ openId, messages }) =>
    openId === conversationId && messages ? { messages: change(messages) } : {},
  );
}
