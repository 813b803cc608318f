import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BranchPart, Message, PartPlace } from '../../shared/chat.ts';
import type { Bridge } from '../../shared/ipc.ts';
import { useConversations } from './conversations.ts';
import { openConversation, putBranch, putMessage, showLatest, showMessage, slide } from './openBranch.ts';

const message = (nth: number, change: Partial<Message> = {}): Message => ({
  id: `${nth}`,
  ...(nth === 0 ? {} : { parentId: `${nth - 1}` }),
  conversationId: 'c',
  role: nth % 2 === 0 ? 'user' : 'assistant',
  blocks: [],
  createdAt: nth,
  status: 'complete',
  ...change,
});

/** A host with one conversation; answers wait for `release` while they are held. */
class HostSide {
  branch = Array.from({ length: 1000 }, (_, nth) => message(nth));
  held: (() => void)[] | undefined;

  readonly bridge = {
    request: async (name: string, input: { count: number; place?: PartPlace; messageId: string }) => {
      if (name === 'conversations.showMessage')
        return { ok: false, error: { code: 'message.notFound', message: 'Gone.' } };
      const value = this.#part(input.count, input.place);
      if (this.held) await new Promise<void>(resolve => this.held?.push(resolve));
      return { ok: true, value };
    },
  } as unknown as Bridge;

  release(): void {
    for (const resolve of this.held?.splice(0) ?? []) resolve();
  }

  #part(count: number, place?: PartPlace): BranchPart | undefined {
    const { length } = this.branch;
    const at = place ? this.branch.findIndex(({ id }) => id === place.messageId) : length;
    if (at === -1) return undefined;
    const start = { before: at - count, after: at + 1, around: at - count / 2 }[place?.side ?? 'before'];
    const end = place?.side === 'before' ? at : start + count;
    return {
      messages: this.branch.slice(Math.max(0, start), end),
      hasEarlier: start > 0,
      hasLater: end < length,
    };
  }
}

const range = () => {
  const { messages, hasEarlier, hasLater } = useConversations.getState();
  return [messages?.[0]?.id, messages?.at(-1)?.id, hasEarlier, hasLater];
};

describe('the open conversation', () => {
  let host: HostSide;
  beforeEach(async () => {
    useConversations.setState(useConversations.getInitialState(), true);
    host = new HostSide();
    vi.stubGlobal('window', { parley: host.bridge });
    await openConversation('c');
  });
  afterEach(() => vi.unstubAllGlobals());

  it('opens at its end, and slides to earlier and to later messages', async () => {
    expect(range()).toEqual(['940', '999', true, false]);
    for (let times = 0; times < 6; times++) await slide('before');
    expect(range()).toEqual(['580', '879', true, true]);
    await slide('after');
    expect(range()).toEqual(['640', '939', true, true]);
    await showLatest();
    expect(range()).toEqual(['940', '999', true, false]);
  });

  it('shows a message far away, and the newest wish counts', async () => {
    host.held = [];
    const first = showMessage('10');
    const second = showMessage('500');
    host.release();
    await Promise.all([first, second]);
    expect(range()).toEqual(['470', '529', true, true]);
    expect(useConversations.getState().sought).toBe('500');
  });

  it('takes no part in that was asked for elsewhere', async () => {
    host.held = [];
    const sliding = slide('before');
    const going = showMessage('500');
    host.held.reverse();
    host.release();
    await Promise.all([sliding, going]);
    expect(range()).toEqual(['470', '529', true, true]);
  });

  it('knows of messages that are added while one looks elsewhere, and that the person wrote one', async () => {
    await showMessage('500');
    putMessage(message(1000));
    expect(range()).toEqual(['470', '529', true, true]);
    expect(useConversations.getState().written).toBe('1000');
    host.branch.push(message(1000));
    await showLatest();
    putMessage(message(1001));
    expect(range()).toEqual(['941', '1001', true, false]);
    // The end of an answer is no new message.
    const { revision } = useConversations.getState();
    putMessage(message(1001, { status: 'incomplete' }));
    expect(useConversations.getState()).toMatchObject({ written: '1000', revision: revision + 1 });
  });

  it('goes on from a version of an earlier message, and shows the end when all it showed is gone', async () => {
    putMessage(message(950, { id: 'other', parentId: '949' }));
    expect(range()).toEqual(['940', 'other', true, false]);
    host.branch.length = 940;
    putBranch({ conversationId: 'c', after: '939', messages: [], hasLater: false });
    await vi.waitFor(() => expect(range()).toEqual(['880', '939', true, false]));
  });

  it('stays open at its end, and says why, when a message cannot be shown', async () => {
    await expect(openConversation('c', 'gone')).rejects.toMatchObject({ code: 'message.notFound' });
    expect(range()).toEqual(['940', '999', true, false]);
    await openConversation(undefined);
    await expect(openConversation('c', 'gone')).rejects.toMatchObject({ code: 'message.notFound' });
    expect(range()).toEqual(['940', '999', true, false]);
  });
});
