import { readFile, writeFile } from 'node:fs/promises';
import { app, BrowserWindow, clipboard, dialog, shell } from 'electron';
import { HostError } from '../../shared/errors.ts';
import type { Handlers } from '../../shared/ipc.ts';
import { lookIntoBackup } from '../archive/backup.ts';
import { readImport } from '../archive/readImport.ts';
import { resultOf, textOfPart } from '../chat/abridged.ts';
import type { Host } from '../host.ts';
import { fileName } from './fileName.ts';
import { openLink } from './links.ts';

/** The requests of the contract that only a desktop can answer. */
export function desktopHandlers(host: Host): Pick<Handlers, Extract<keyof Handlers, `app.${string}`>> {
  /** Picked last, by the person: a page can name no file. */
  let backup: string | undefined;
  return {
    'app.openLink': ({ url }) => openLink(url),
    'app.copyText': async ({ text }) => clipboard.writeText(text),
    'app.saveFile': async ({ name, data }) => ({
      saved: await save(fileName(name), Buffer.from(data, 'base64')),
    }),
    'app.saveResult': async ({ conversationId, messageId, index, part, name }) => {
      const result = resultOf(host.conversations.message(conversationId, messageId), index);
      return { saved: await save(fileName(name), textOfPart(result, part)) };
    },
    'app.exportAudit': async () => {
      const { entries, damaged } = host.audit.read();
      const text = entries.map(entry => `${JSON.stringify(entry)}\n`).join('');
      return { saved: await save('parley-audit.jsonl', text), entries: entries.length, damaged };
    },
    'app.exportConversations': async ({ ids, format }) => {
      const [only] = ids;
      const title =
        ids.length === 1 && only !== undefined ? host.conversations.get(only).title : 'conversations';
      return format === 'json'
        ? { saved: await save(fileName(`${title}.json`), host.archive.toJson(ids)) }
        : { saved: await save(fileName(`${title}.md`), host.archive.toMarkdown(ids)) };
    },
    'app.importConversations': async () => {
      const path = await pickFile('Import conversations', ['json', 'zip']);
      if (path === undefined) return undefined;
      const { conversations, skipped } = readImport(await readFile(path));
      return { ids: host.archive.add(conversations), skipped };
    },
    'app.backUp': async () => {
      const path = await whereTo(`parley-${new Date().toISOString().slice(0, 10)}.backup`);
      if (path === undefined) return { saved: false };
      host.backUp(path);
      return { saved: true };
    },
    'app.pickBackup': async () => {
      backup = await pickFile('Restore a backup', ['backup']);
      return backup === undefined ? undefined : { path: backup, ...lookIntoBackup(backup) };
    },
    'app.restore': async () => {
      if (backup === undefined) throw new HostError('app.restore', 'No backup has been picked.');
      host.prepareRestore(backup);
      app.relaunch();
      app.quit();
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
  const filePath = await whereTo(defaultPath);
  if (filePath === undefined) return false;
  try {
    await writeFile(filePath, data);
  } catch (error) {
    throw new HostError('app.save', `It could not be saved: ${(error as Error).message}`);
  }
  return true;
}

/** Undefined when the person does not want it. */
async function whereTo(defaultPath: string): Promise<string | undefined> {
  const window = ourWindow();
  const { filePath } = await (window
    ? dialog.showSaveDialog(window, { defaultPath })
    : dialog.showSaveDialog({ defaultPath }));
  return filePath || undefined;
}

/** Undefined when the person does not want it. */
async function pickFile(title: string, extensions: string[]): Promise<string | undefined> {
  const window = ourWindow();
  const filters = [
    { name: title, extensions },
    { name: 'All files', extensions: ['*'] },
  ];
  const options = { title, filters, properties: ['openFile' as const] };
  const { filePaths } = await (window
    ? dialog.showOpenDialog(window, options)
    : dialog.showOpenDialog(options));
  return filePaths[0];
}

function ourWindow(): BrowserWindow | undefined {
  return BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
}
