import type { BranchPart, Delta, Message, PartPlace } from '../../shared/chat.ts';
import type { EventPayload } from '../../shared/ipc.ts';
import { act } from './app.ts';
import { noMessages, useConversations } from './conversations.ts';
import { request } from './host.ts';
import { latest, parted, STEP, withEarlier, withLater } from './keptPart.ts';

/** Counts what was asked for to be shown: an older answer comes too late. */
let asked = 0;

/** Shows a conversation, at one of its messages if wished; with `undefined` an empty one that its first message creates. */
export async function openConversation(id: string | undefined, sought?: string): Promise<void> {
  const { openId, messages } = useConversations.getState();
  if (id !== undefined && id === openId && messages && sought !== undefined) return showMessage(sought);
  asked += 1;
  const nothing = { ...noMessages, sought: undefined, writing: {} };
  if (id === undefined) return useConversations.setState({ openId: id, ...nothing });
  useConversations.setState({ openId: id, ...nothing, messages: undefined });
  try {
    if (sought === undefined) return await showLatest();
    await showMessage(sought).catch(async (error: unknown) => {
      await showLatest();
      throw error;
    });
  } catch (error) {
    const state = useConversations.getState();
    if (state.openId === id && !state.messages) useConversations.setState({ openId: undefined, ...nothing });
    throw error;
  }
}

/** Shows the end of the open conversation. */
export async function showLatest(): Promise<void> {
  const isWanted = begin();
  const part = await ask();
  if (part && isWanted()) useConversations.setState(part);
}

/** Shows a message of the open conversation, which may be far away or on another branch. */
export async function showMessage(messageId: string): Promise<void> {
  const isWanted = begin();
  const seek = () => useConversations.setState({ sought: messageId });
  if (isKept(messageId)) return seek();
  const place: PartPlace = { side: 'around', messageId };
  let part = await ask(place);
  if (!part && isWanted()) {
    const conversationId = useConversations.getState().openId as string;
    await request('conversations.showMessage', { conversationId, messageId });
    if (isWanted() && isKept(messageId)) return seek();
    part = await ask(place);
  }
  if (part && isWanted()) useConversations.setState({ ...part, sought: messageId });
}

/** Takes in what comes before or behind the messages that are kept; `prepare` runs right before that is shown. */
export async function slide(side: 'before' | 'after', prepare: () => void = () => {}): Promise<void> {
  const edge = () => useConversations.getState().messages?.at(side === 'before' ? 0 : -1)?.id;
  const messageId = edge();
  if (messageId === undefined) return;
  const part = await ask({ side, messageId });
  if (!part || edge() !== messageId) return;
  prepare();
  change(kept => (side === 'before' ? withEarlier(kept, part) : withLater(kept, part)));
}

/** Lets go of the earliest messages where there have become too many. */
export function keepLatest(): void {
  change(latest);
}

/** Whether it is still wanted what was asked for now. */
function begin(): () => boolean {
  asked += 1;
  const mine = asked;
  const { openId } = useConversations.getState();
  return () => mine === asked && useConversations.getState().openId === openId;
}

async function ask(place?: PartPlace): Promise<BranchPart | undefined> {
  const { openId: conversationId } = useConversations.getState();
  if (conversationId === undefined) return undefined;
  return request('conversations.messages', { conversationId, count: STEP, ...(place ? { place } : {}) });
}

function isKept(messageId: string): boolean {
  return useConversations.getState().messages?.some(({ id }) => id === messageId) ?? false;
}

/** A message of the open conversation was added, behind the one that it follows and as the end of the branch, or has changed. */
export function putMessage(message: Message): void {
  const { openId, messages } = useConversations.getState();
  if (message.conversationId !== openId || !messages) return;
  const at = messages.findLastIndex(({ id }) => id === message.id);
  const isNew = at === -1;
  change(kept =>
    isNew
      ? parted(kept, message.parentId, { messages: [message], hasLater: false })
      : { ...kept, messages: messages.with(at, message) },
  );
  useConversations.setState(({ revision, written }) => ({
    revision: revision + 1,
    written: isNew && message.role === 'user' ? message.id : written,
  }));
}

/** Another branch of the open conversation is shown from behind the message `after` on. */
export function putBranch({ conversationId, after, ...rest }: EventPayload<'branch.changed'>): void {
  if (conversationId !== useConversations.getState().openId) return;
  change(kept => parted(kept, after, rest));
  const { messages, hasEarlier, revision } = useConversations.getState();
  useConversations.setState({ revision: revision + 1 });
  if (messages?.length === 0 && hasEarlier) act(showLatest());
}

export function putBlock({ conversationId, messageId, index, block }: EventPayload<'block.changed'>): void {
  changeMessage(conversationId, messageId, message => {
    const blocks = [...message.blocks];
    blocks[index] = block;
    return { ...message, blocks };
  });
  const { writing, openId, revision } = useConversations.getState();
  if (block.type === 'summary' && conversationId === openId)
    useConversations.setState({ revision: revision + 1 });
  const { [`${messageId} ${index}`]: done, ...others } = writing;
  if (done !== undefined) useConversations.setState({ writing: others });
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
  changed: (message: Message) => Message,
): void {
  const { openId, messages } = useConversations.getState();
  const at = messages?.findLastIndex(({ id }) => id === messageId) ?? -1;
  const message = messages?.[at];
  if (openId === conversationId && messages && message)
    useConversations.setState({ messages: messages.with(at, changed(message)) });
}

/** Changes the part that is kept, once it is there. */
function change(changed: (kept: BranchPart) => BranchPart): void {
  useConversations.setState(({ messages, hasEarlier, hasLater }) =>
    messages ? changed({ messages, hasEarlier, hasLater }) : {},
  );
}
