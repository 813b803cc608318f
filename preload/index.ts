import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import type { Bridge, NumberedEvent } from '../shared/ipc.ts';

/** The page gets these two functions and nothing else; the gate in the main process checks what they carry. */
const bridge: Bridge = {
  request: (name, input) => ipcRenderer.invoke('parley:request', name, input),
  on: listener => {
    const forward = (_event: IpcRendererEvent, events: NumberedEvent[]) => listener(events);
    ipcRenderer.on('parley:events', forward);
    return () => ipcRenderer.off('parley:events', forward);
  },
};

contextBridge.exposeInMainWorld('parley', bridge);
