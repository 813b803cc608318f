import { describe, expect, it, vi } from 'vitest';
import { HostError } from '../../shared/errors.ts';
import { type Handlers, requests } from '../../shared/ipc.ts';
import { pass, type Sender } from './gate.ts';

const ours: Sender = { url: 'parley://app/index.html', isMainFrame: true };

function setUp() {
  const called = vi.fn(async (_input: unknown): Promise<unknown> => undefined);
  const handlers = Object.fromEntries(
    Object.keys(requests).map(name => [name, called]),
  ) as unknown as Handlers;
  const onBug = vi.fn();
  return {
    called,
    onBug,
    ask: (sender: Sender, name: unknown, input: unknown) => pass(handlers, sender, name, input, onBug),
  };
}

describe('the gate', () => {
  it('lets a well-formed request of our own page through, with its parsed input only', async () => {
    const { called, ask } = setUp();
    const reply = await ask(ours, 'servers.restart', { name: 'files', extra: 'dropped' });
    expect(reply).toEqual({ ok: true, value: undefined });
    expect(called).toHaveBeenCalledExactlyOnceWith({ name: 'files' });
  });

  it.each<[string, Sender]>([
    ['another origin', { url: 'https://parley.example/index.html', isMainFrame: true }],
    ['another host of our scheme', { url: 'parley://evil/index.html', isMainFrame: true }],
    ['a look-alike with our origin as user info', { url: 'https://parley@app/', isMainFrame: true }],
    ['a file', { url: 'file:///app/index.html', isMainFrame: true }],
    ['a frame inside our page', { url: 'parley://app/index.html', isMainFrame: false }],
    ['a frame that is gone', { url: undefined, isMainFrame: true }],
    ['no URL at all', { url: 'about', isMainFrame: true }],
  ])('refuses %s', async (_who, sender) => {
    const { called, ask } = setUp();
    expect(await ask(sender, 'snapshot', undefined)).toMatchObject({
      ok: false,
      error: { code: 'ipc.sender' },
    });
    expect(called).not.toHaveBeenCalled();
  });

  it.each(['servers.explode', '__proto__', 'toString', 42, undefined, ['snapshot']])(
    'refuses the name %j',
    async name => {
      const { called, ask } = setUp();
      expect(await ask(ours, name, undefined)).toMatchObject({ ok: false, error: { code: 'ipc.unknown' } });
      expect(called).not.toHaveBeenCalled();
    },
  );

  it.each<[string, unknown]>([
    ['servers.add', { name: 'x', config: { type: 'stdio' } }],
    ['servers.add', { name: ' x', config: { type: 'stdio', command: 'node' } }],
    ['servers.add', { name: 'x', config: { type: 'http', url: 'javascript:alert(1)' } }],
    ['servers.add', { name: 'x', config: { type: 'http', url: 'file:///etc/passwd' } }],
    ['chat.send', { conversationId: 'c', text: '' }],
    ['chat.send', 'text'],
    ['asks.answer', { id: 'a', answer: { action: 'perhaps' } }],
    ['settings.update', { maxTokens: -1 }],
    ['model.setKey', { key: '   ', acceptPlain: true }],
    ['conversations.rename', { conversationId: 'c', title: ' ' }],
  ])('refuses malformed input of %s: %j', async (name, input) => {
    const { called, ask } = setUp();
    expect(await ask(ours, name, input)).toMatchObject({ ok: false, error: { code: 'ipc.input' } });
    expect(called).not.toHaveBeenCalled();
  });

  it('hands an error for people over with its hint, and reports only the others as bugs', async () => {
    const { called, onBug, ask } = setUp();
    called.mockRejectedValueOnce(new HostError('chat.busy', 'A turn is running.', 'Wait or stop it.'));
    expect(await ask(ours, 'chat.resume', { conversationId: 'c' })).toEqual({
      ok: false,
      error: { code: 'chat.busy', message: 'A turn is running.', hint: 'Wait or stop it.' },
    });
    expect(onBug).not.toHaveBeenCalled();
    called.mockRejectedValueOnce(new TypeError('x is undefined'));
    expect(await ask(ours, 'chat.resume', { conversationId: 'c' })).toMatchObject({
      ok: false,
      error: { code: 'internal' },
    });
    expect(onBug).toHaveBeenCalledOnce();
  });
});
