import { BrowserWindow, nativeTheme } from 'electron';
import { openLink } from './links.ts';
import { APP_ORIGIN } from './origin.ts';
import { trackWindowState } from './windowState.ts';

/** Opens the one window of the app. It is shown when it has something to show. */
export function openWindow(options: { preload: string; icon: string; stateFile: string }): BrowserWindow {
  const state = trackWindowState(options.stateFile);
  const window = new BrowserWindow({
    ...state.bounds,
    minWidth: 480,
    minHeight: 400,
    show: false,
    title: 'Parley',
    icon: options.icon,
    webPreferences: {
      preload: options.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: true,
    },
  });
  state.follow(window);
  keepInside(window);
  window.once('ready-to-show', () => {
    // Not before: the theme that the person chose is known by now.
    window.setBackgroundColor(nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff');
    if (state.maximized) window.maximize();
    window.show();
  });
  void window.loadURL(`${APP_ORIGIN}/index.html`);
  return window;
}

/** For a page that never shows anything, in milliseconds. */
const LONGEST_WAIT_MS = 5_000;

/** Until a window has shown something for the first time, or will not. */
export function shown(window: BrowserWindow): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, LONGEST_WAIT_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    window.once('ready-to-show', done);
    window.once('closed', done);
  });
}

/** The window shows Parley's own page and nothing else, whatever a page, a link or a drop asks for. */
function keepInside({ webContents }: BrowserWindow): void {
  webContents.on('will-navigate', event => event.preventDefault());
  webContents.on('will-redirect', event => event.preventDefault());
  webContents.on('will-attach-webview', event => event.preventDefault());
  webContents.setWindowOpenHandler(({ url }) => {
    openLink(url).catch((error: unknown) => console.warn(`Not opened: ${(error as Error).message}`));
    return { action: 'deny' };
  });
  const { session } = webContents;
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
}
