import { type BrowserWindow, nativeTheme, powerMonitor } from 'electron';
import { createHost, type Host } from '../host.ts';
import { attendTo } from './attentionPort.ts';
import { type Answer, bindIpc } from './ipc.ts';
import { installMenu } from './menu.ts';
import { desktopPorts } from './ports.ts';

/** The host of the window. */
export interface DesktopHost {
  host: Host;
  answer: Answer;
}

/** Starts the host on the desktop: everything that is not needed to open the window. */
export async function startDesktopHost(
  dataDir: string,
  firstShown: Promise<void>,
  window: () => BrowserWindow | undefined,
  open: () => void,
): Promise<DesktopHost> {
  const host = await createHost(desktopPorts(dataDir, firstShown));
  host.adoptTasks();
  host.nameConversations();
  followTheme(host);
  powerMonitor.on('resume', () => host.wakeUp());
  installMenu(name => host.events.emit('command', name), dataDir);
  attendTo(host, window, open);
  return { host, answer: bindIpc(host, window) };
}

function followTheme(host: Host): void {
  nativeTheme.themeSource = host.snapshot().settings.theme;
  host.events.on(event => {
    if (event.name === 'settings.changed') nativeTheme.themeSource = event.payload.theme;
  });
}
