import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BranchPart, Conversation, Message } from '../../shared/chat.ts';
import type { Bridge, NumberedEvent, Snapshot } from '../../shared/ipc.ts';
import { Settings } from '../../shared/settings.ts';
import { useApp } from './app.ts';
import { useConversations } from './conversations.ts';
import { openConversation } from './openBranch.ts';
import { startSync } from './sync.ts';

const conversation: Conversation = {
  id: 'c',
  title: 'One',
  createdAt: 1,
  updatedAt: 1,
  pinned: false,
  archived: false,
  settings: {},
};
const delta = (seq: number, text: string): NumberedEvent => ({
  seq,
  name: 'block.delta',
  payload: { conversationId: 'c', messageId: 'm', index: 0, kind: 'text', text },
});

/** The host's side of the bridge: answers are given when the test says so. */
class HostSide {
  seq = 0;
  conversations = [conversation];
  text = '';
  snapshots = 0;
  #listener: (events: NumberedEvent[]) => void = () => undefined;
  #held: (() => void)[] | undefined;

  readonly bridge = {
    request: async (name: string) => {
      // As in the host: the answer holds what is true when the question arrives.
      const value = name === 'snapshot' ? this.#snapshot() : this.#messages();
      if (this.#held) await new Promise<void>(resolve => this.#held?.push(resolve));
      return value === undefined
        ? { ok: false, error: { code: 'conversation.notFound', message: 'Gone.' } }
        : { ok: true, value };
    },
    on: (listener: (events: NumberedEvent[]) => void) => {
      this.#listener = listener;
      return () => undefined;
    },
  } as unknown as Bridge;

  send(event: NumberedEvent): void {
    this.seq = event.seq;
    this.#listener([event]);
  }
  hold(): void {
    this.#held = [];
  }
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const resolve of held) resolve();
  }

  #snapshot(): Snapshot {
    this.snapshots += 1;
    return {
      seq: this.seq,
      servers: [],
      serversFile: { path: 'servers.json' },
      tools: [],
      conversations: this.conversations,
      turns: [],
      queues: [],
      asks: [],
      rules: [],
      conversationRules: [],
      settings: Settings.parse({}),
      model: {
        model: 'guide',
        key: 'none',
        baseUrl: '',
        baseUrlFrom: 'default',
        headers: [],
        encryption: false,
      },
      problems: [],
      app: { version: '0', dataDir: '' },
    };
  }
  #messages(): BranchPart | undefined {
    if (this.conversations.length === 0) return undefined;
    const blocks = [{ type: 'text' as const, text: this.text }];
    return {
      messages: [
        { id: 'm', conversationId: 'c', role: 'assistant', blocks, createdAt: 1, status: 'streaming' },
      ],
      hasEarlier: false,
      hasLater: false,
    };
  }
}

const shown = () => {
  const [block] = useConversations.getState().messages?.[0]?.blocks ?? [];
  return block?.type === 'text' ? block.text : undefined;
};

describe('the stores', () => {
  let host: HostSide;
  let stop: () => void;
  beforeEach(async () => {
    useApp.setState(useApp.getInitialState(), true);
    useConversations.setState(useConversations.getInitialState(), true);
    host = new HostSide();
    vi.stubGlobal('window', { parley: host.bridge });
    stop = startSync();
    await vi.waitFor(() => expect(useApp.getState().ready).toBe(true));
    host.text = 'a';
    await openConversation('c');
  });
  afterEach(() => {
    stop();
    vi.unstubAllGlobals();
  });

  it('apply events in order and ignore what they hold already', () => {
    host.send(delta(1, 'b'));
    host.send(delta(1, 'b'));
    host.send(delta(2, 'c'));
    expect(shown()).toBe('abc');
    expect(host.snapshots).toBe(1);
  });

  it('fetch everything anew after a gap', async () => {
    host.text = 'abc';
    host.send(delta(3, 'c'));
    await vi.waitFor(() => expect(shown()).toBe('abc'));
    expect(host.snapshots).toBe(2);
    host.send(delta(4, 'd'));
    expect(shown()).toBe('abcd');
  });

  it('do not show a text twice that arrives while they fetch', async () => {
    host.hold();
    host.text = 'abc';
    host.send(delta(3, 'c'));
    host.text = 'abcd';
    host.send(delta(4, 'd'));
    host.release();
    await vi.waitFor(() => expect(shown()).toBe('abcd'));
    host.send(delta(5, 'e'));
    expect(shown()).toBe('abcde');
  });

  it('close a conversation that was deleted meanwhile, and go on', async () => {
    host.conversations = [];
    host.send(delta(3, 'c'));
    await vi.waitFor(() => expect(useConversations.getState().openId).toBeUndefined());
    expect(useApp.getState().broken).toBeUndefined();
    expect(useConversations.getState().messages).toEqual([]);
  });

  it('show another branch from where it parts, and a message only where the branch leads to it', () => {
    const message = (id: string, parentId: string): Message => ({
      id,
      parentId,
      conversationId: 'c',
      role: 'user',
      blocks: [],
      createdAt: 1,
      status: 'complete',
    });
    const changed = (seq: number, payload: Message) => host.send({ seq, name: 'message.changed', payload });
    const ids = () => useConversations.getState().messages?.map(({ id }) => id);
    changed(1, message('n', 'm'));
    changed(2, message('o', 'n'));
    expect(ids()).toEqual(['m', 'n', 'o']);
    changed(3, message('n2', 'm'));
    expect(ids()).toEqual(['m', 'n2']);
    changed(4, message('stray', 'o'));
    expect(ids()).toEqual(['m', 'n2']);
    const messages = [message('n', 'm'), message('o', 'n')];
    host.send({
      seq: 5,
      name: 'branch.changed',
      payload: { conversationId: 'c', after: 'm', messages, hasLater: false },
    });
    expect(ids()).toEqual(['m', 'n', 'o']);
    host.send({
      seq: 6,
      name: 'branch.changed',
      payload: { conversationId: 'c', messages: [], hasLater: false },
    });
    expect(ids()).toEqual([]);
  });
});
