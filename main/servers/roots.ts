import { stat } from 'node:fs/promises';
import { basename, isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client, Root } from '@modelcontextprotocol/client';
import { expandHome } from './command.ts';
import { messageOf } from './failures.ts';
import type { ServerLog } from './serverLog.ts';

/**
 * Answers a server that asks which folders the person picked for it (`roots` in its entry). Both eras end here: a
 * legacy request, and a modern `input_required` entry. A folder that is not there now is left out.
 * @see the roots page of the specification
 */
export function handleRoots(client: Client, paths: () => readonly string[], log: ServerLog): void {
  client.setRequestHandler('roots/list', () => listRoots(paths(), log));
}

export async function listRoots(paths: readonly string[], log: ServerLog): Promise<{ roots: Root[] }> {
  const roots = await Promise.all(paths.map(path => asRoot(path, log)));
  return { roots: roots.filter(root => root !== undefined) };
}

/** Tells a legacy server that the folders have changed. In the modern era it asks anew with each call. */
export function announceRoots(client: Client, log: ServerLog): void {
  if (client.getProtocolEra() === 'modern') return;
  client.sendRootsListChanged().catch(error => log.note(`${messageOf(error)}`));
}

async function asRoot(path: string, log: ServerLog): Promise<Root | undefined> {
  const full = expandHome(path);
  const problem = isAbsolute(full) ? await problemOf(full) : 'it is not a whole path';
  if (problem === undefined) {
    const folder = resolve(full);
    return { uri: pathToFileURL(folder).href, name: basename(folder) || folder };
  }
  log.note(`The folder ${path} was not given to the server: ${problem}.`);
  return undefined;
}

async function problemOf(folder: string): Promise<string | undefined> {
  try {
    return (await stat(folder)).isDirectory() ? undefined : 'it is not a folder';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it does not exist' : messageOf(error);
  }
}
