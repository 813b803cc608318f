import { type BrowserWindow, ipcMain } from 'electron';
import type { Handlers } from '../../shared/ipc.ts';
import type { Host } from '../host.ts';
import { Broadcast } from './broadcast.ts';
import { desktopHandlers } from './desktop.ts';
import { pass } from './gate.ts';

/** Binds the contract to Electron's IPC: requests through the gate, events to the window. Returns the undoing. */
export function bindIpc(host: Host, window: () => BrowserWindow | undefined): () => void {
  const broadcast = new Broadcast(event => {
    const target = window();
    if (target && !target.isDestroyed()) target.webContents.send('parley:event', event);
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
  ipcMain.handle('parley:request', (event, name: unknown, input: unknown) => {
    const frame = event.senderFrame;
    const sender = { url: frame?.url, isMainFrame: frame !== null && frame === event.sender.mainFrame };
    return pass(handlers, sender, name, input, error =>
      console.error(`Bug in request ${String(name)}:`, error),
    );
  });
  const stopListening = host.events.on(broadcast.accept);
  return () => {
    stopListening();
    broadcast.flush();
    ipcMain.removeHandler('parley:request');
  };
}
