import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { app, type BrowserWindow, dialog, ipcMain } from 'electron';
import { toErrorInfo } from '../../shared/errors.ts';
import { registerAppScheme, serveApp } from './appProtocol.ts';
import { installContextMenu } from './contextMenu.ts';
import type { DesktopHost } from './desktopHost.ts';
import { iconFile, preloadFile, rendererRoot } from './paths.ts';
import { openWindow, shown } from './window.ts';

const dataDir = chooseDataDir();
app.setPath('userData', dataDir);
app.setPath('sessionData', join(dataDir, 'browser'));
// Where the person chose to go without (as root there is no other way), forcing it would stop every helper process.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
registerAppScheme();

// One Parley for each data directory: a second start only brings the first to the front.
if (app.requestSingleInstanceLock()) {
  app.whenReady().then(run).catch(giveUp);
} else {
  app.quit();
}

async function run(): Promise<void> {
  const pageServed = serveApp(rendererRoot);
  let window: BrowserWindow | undefined;
  let quitting = false;
  const open = () => {
    window = openWindow({ preload: preloadFile, icon: iconFile, stateFile: join(dataDir, 'window.json') });
    installContextMenu(window);
    window.on('closed', () => {
      window = undefined;
      // Nobody can see the questions any more: each ends as cancelled. At the end of Parley the host sees to that.
      if (process.platform === 'darwin' && !quitting)
        void starting.then(({ host }) => host.asks.cancelAll('windowClosed'));
    });
    return window;
  };
  const firstShown = shown(open());
  // The page has a process of its own, which takes its time to start: most of our code is loaded meanwhile.
  const starting = pageServed
    .then(() => import('./desktopHost.ts'))
    .then(({ startDesktopHost }) => startDesktopHost(dataDir, firstShown, () => window, open));
  ipcMain.handle('parley:request', async (event, name: unknown, input: unknown) =>
    (await starting).answer(event, name, input),
  );

  app.on('before-quit', () => {
    quitting = true;
  });
  app.on('second-instance', () => {
    if (window?.isMinimized()) window.restore();
    window?.focus();
  });
  app.on('activate', () => window ?? open());
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  closeHostBeforeQuit(starting, () => window);
  await starting;
}

/** Quitting waits until every server has ended; the window is gone at once. */
function closeHostBeforeQuit(starting: Promise<DesktopHost>, window: () => BrowserWindow | undefined): void {
  let closed = false;
  app.on('will-quit', event => {
    if (closed) return;
    event.preventDefault();
    window()?.hide();
    starting
      .then(({ host }) => host.close())
      .catch((error: unknown) => console.error('The host did not close cleanly:', error))
      .finally(() => {
        closed = true;
        // Not at once: a host with nothing to end is closed within the very quitting that was put off, and that would
        // never be taken up again.
        setImmediate(() => app.quit());
      });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
}

/** `--data DIR` uses another data directory; else the system's place for this app. */
function chooseDataDir(): string {
  const { values } = parseArgs({
    args: process.argv.slice(1),
    options: { data: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  });
  return typeof values.data === 'string' ? resolve(values.data) : app.getPath('userData');
}

/** A host that cannot start is said in words; silence would be worse than a box. */
function giveUp(error: unknown): void {
  const { message, hint } = toErrorInfo(error);
  console.error(error);
  dialog.showErrorBox('Parley could not start', [message, hint].filter(Boolean).join('\n\n'));
  app.exit(1);
}
