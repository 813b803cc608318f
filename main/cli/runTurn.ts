import type { Message } from '../../shared/chat.ts';
import { GUIDE } from '../../shared/settings.ts';
import type { Host } from '../host.ts';

/**
 * Begins a turn, waits until it is over, and resolves with what the assistant wrote meanwhile. When `signal` fires, the
 * turn is stopped.
 */
export async function runTurn(
  host: Host,
  conversationId: string,
  begin: (turns: Host['turns']) => Promise<void>,
  signal: AbortSignal,
): Promise<Message[]> {
  const known = new Set(host.conversations.messages(conversationId).map(message => message.id));
  const stop = () => void host.turns.stop(conversationId);
  let forget = () => {};
  const ended = new Promise<void>(resolve => {
    forget = host.events.on(({ name, payload }) => {
      if (name === 'turn.changed' && payload.conversationId === conversationId && payload.phase === 'idle')
        resolve();
    });
  });
  signal.addEventListener('abort', stop);
  try {
    await begin(host.turns);
    await ended;
  } finally {
    signal.removeEventListener('abort', stop);
    forget();
  }
  return host.conversations
    .messages(conversationId)
    .filter(({ id, role }) => role === 'assistant' && !known.has(id));
}

/** Did the turn do what was asked? A model may well answer without a tool, but the Guide's answer is its tool's. */
export function succeeded(messages: readonly Message[], model: string): boolean {
  const last = messages.at(-1);
  if (last?.status !== 'complete') return false;
  const blocks = messages.flatMap(message => message.blocks);
  if (blocks.some(block => block.type === 'notice' && block.level === 'error')) return false;
  return model !== GUIDE || blocks.every(block => block.type !== 'toolCall' || block.status === 'done');
}
