const { contextBridge, ipcRenderer } = require('electron');

contextBridge.exposeInMainWorld('bench', {
  onText: listener => ipcRenderer.on('text', (_event, text) => listener(text)),
});
