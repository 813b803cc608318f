import { create } from 'zustand';
import type { Queue } from '../../shared/chat.ts';

/** What waits to be sent, by conversation; one that is not in here has nothing waiting. */
export const useQueues = create<{ queues: Readonly<Record<string, Queue>> }>(() => ({ queues: {} }));

export function putQueue(queue: Queue): void {
  useQueues.setState(({ queues: { [queue.conversationId]: _old, ...others } }) => ({
    queues: queue.messages.length === 0 ? others : { ...others, [queue.conversationId]: queue },
  }));
}
