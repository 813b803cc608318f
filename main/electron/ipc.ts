import type { BrowserWindow, IpcMainInvokeEvent } from 'electron';
import type { Handlers, Reply } from '../../shared/ipc.ts';
import type { Host } from '../host.ts';
import { Broadcast } from './broadcast.ts';
import { desktopHandlers } from './desktop.ts';
import { pass } from './gate.ts';

/** Answers one request of the page. */
export type Answer = (event: IpcMainInvokeEvent, name: unknown, input: unknown) => Promise<Reply<unknown>>;

/** Binds the contract to Electron's IPC: events to the window; what is returned passes requests through the gate. */
export function bindIpc(host: Host, window: () => BrowserWindow | undefined): Answer {
  const broadcast = new Broadcast(events => {
    const target = window();
    if (target && !target.isDestroyed()) target.webContents.send('parley:events', events);
  });
  const handlers: Handlers = {
    ...host.handlers,
    ...desktopHandlers(host),
    // What is held back is in the answer already: sent after it, it would be shown twice.
    'conversations.messages': input => {
      broadcast.flush();
      return host.handlers['conversations.messages'](input);
    },
    snapshot: async () => {
      broadcast.flush();
      return { ...host.snapshot(), seq: broadcast.seq };
    },
  };
  host.events.on(broadcast.accept);
  return async (event, name, input) => {
    const frame = event.senderFrame;
    const sender = { url: frame?.url, isMainFrame: frame !== null && frame === event.sender.mainFrame };
    const reply = await pass(handlers, sender, name, input, error =>
      console.error(`Bug in request ${String(name)}:`, error),
    );
    // What a request has caused is told before its answer; but an answer that was taken from what there is now must not
    // come after what has changed since.
    if (name !== 'conversations.messages' && name !== 'snapshot') broadcast.flush();
    return reply;
  };
}
