import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
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
    'app.saveFile': async ({ name, data }) => ({
      saved: await save(fileName(name), Buffer.from(data, 'base64')),
    }),
    'app.exportAudit': async () => {
      const { entries, damaged } = host.audit.read();
      const text = entries.map(entry => `${JSON.stringify(entry)}\n`).join('');
      return { saved: await save('parley-audit.jsonl', text), entries: entries.length, damaged };
    },
    'app.pickFolder': async () => {
      const window = ourWindow();
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

/** Asks where to, and writes it there; false when the person does not want it. */
async function save(defaultPath: string, data: string | Buffer): Promise<boolean> {
  const window = ourWindow();
  const { filePath } = await (window
    ? dialog.showSaveDialog(window, { defaultPath })
    : dialog.showSaveDialog({ defaultPath }));
  if (!filePath) return false;
  try {
    await writeFile(filePath, data);
  } catch (error) {
    throw new HostError('app.save', `It could not be saved: ${(error as Error).message}`);
  }
  return true;
}

function ourWindow(): BrowserWindow | undefined {
  return BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
}

/** A suggestion that comes from a server: a bare name, nothing that leads elsewhere or hides. */
function fileName(name: string): string {
  const bare = basename(name.replace(/[\p{Cc}\p{Cf}<>:"|?*\\]/gu, '_')).replace(/^\.+/, '');
  return bare.slice(0, 120) || 'resource';
}
