import { BrowserWindow, clipboard, dialog, shell } from 'electron';
import { HostError } from '../../shared/errors.ts';
import type { Handlers } from '../../shared/ipc.ts';
import type { Host } from '../host.ts';
import { openLink } from './links.ts';

/** The requests of the contract that only a desktop can answer. */
export function desktopHandlers(host: Host): Pick<Handlers, Extract<keyof Handlers, `app.${string}`>> {
  return {
    'app.openLink': ({ url }) => openLink(url),
    'app.copyText': async ({ text }) => clipboard.writeText(text),
    'app.pickFolder': async () => {
      const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
      const options = { properties: ['openDirectory' as const, 'createDirectory' as const] };
      const { filePaths } = await (window
        ? dialog.showOpenDialog(window, options)
        : dialog.showOpenDialog(options));
      return filePaths[0] === undefined ? {} : { path: filePaths[0] };
    },
    'app.openServersFile': async () => {
      const failure = await shell.openPath(host.snapshot().serversFile.path);
      if (failure) throw new HostError('app.open', `The system could not open servers.json: ${failure}`);
    },
  };
}
