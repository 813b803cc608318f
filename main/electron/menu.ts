import { app, Menu, type MenuItemConstructorOptions, shell } from 'electron';
import type { EventPayload } from '../../shared/ipc.ts';

type Command = EventPayload<'command'>;

/** Installs the application menu; entries that concern the page go to it through `command`. */
export function installMenu(command: (name: Command) => void, dataDir: string): void {
  const item = (label: string, accelerator: string, name: Command): MenuItemConstructorOptions => ({
    label,
    accelerator,
    click: () => command(name),
  });
  const isMac = process.platform === 'darwin';
  const settings = item('Model and settings…', 'CmdOrCtrl+,', 'openSettings');
  const template: MenuItemConstructorOptions[] = [
    ...(isMac
      ? [
          {
            label: app.name,
            submenu: [
              { role: 'about' },
              { type: 'separator' },
              settings,
              { type: 'separator' },
              { role: 'services' },
              { type: 'separator' },
              { role: 'hide' },
              { role: 'hideOthers' },
              { role: 'unhide' },
              { type: 'separator' },
              { role: 'quit' },
            ],
          } satisfies MenuItemConstructorOptions,
        ]
      : []),
    {
      label: '&File',
      submenu: [
        item('New conversation', 'CmdOrCtrl+N', 'newConversation'),
        { type: 'separator' },
        item('Servers…', 'CmdOrCtrl+Shift+S', 'openServers'),
        ...(isMac ? [] : [settings]),
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&Chat',
      submenu: [
        item('Write a message', 'CmdOrCtrl+L', 'focusComposer'),
        item('Find in conversation', 'CmdOrCtrl+F', 'find'),
        item('What you wrote…', 'CmdOrCtrl+Shift+O', 'outline'),
        item('Search conversations', 'CmdOrCtrl+Shift+F', 'search'),
        item('Stop', 'CmdOrCtrl+.', 'stop'),
      ],
    },
    {
      label: '&View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...(app.isPackaged
          ? []
          : [
              { type: 'separator' } as const,
              { role: 'reload' } as const,
              { role: 'toggleDevTools' } as const,
            ]),
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        { label: 'Open data folder', click: () => void shell.openPath(dataDir) },
        ...(isMac ? [] : [{ role: 'about' } as const]),
      ],
    },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
