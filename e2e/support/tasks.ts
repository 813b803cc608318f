import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './freePort.ts';
import { ownServer } from './host.ts';

/** The tasks of e2e/support/servers/tasks.mjs, which are files in this folder. */
export function tasksIn(folder: string) {
  const names = async (what: string) =>
    (await readdir(folder))
      .filter(name => name.endsWith(`.${what}`))
      .map(name => name.slice(0, -what.length - 1));
  return {
    /** The ids of all tasks that were made. */
    ids: () => names('json'),
    cancelled: () => names('cancelled'),
    answers: async (id: string) => JSON.parse(await readFile(join(folder, `${id}.answers`), 'utf8')),
    /** Ends a task in this way; a text becomes its result. */
    finish: async (id: string, end: string | Record<string, unknown>) => {
      const state =
        typeof end === 'string'
          ? { status: 'completed', result: { content: [{ type: 'text', text: end }] } }
          : end;
      const file = join(folder, `${id}.done`);
      // In one step: the server may be reading.
      await writeFile(`${file}.new`, JSON.stringify(state));
      await rename(`${file}.new`, file);
    },
  };
}

/** The tasks server over HTTP, in a process of its own. */
export async function startTasksHttp(folder: string, port?: number) {
  const chosen = port ?? (await freePort());
  const child = spawn(process.execPath, [ownServer('tasks.mjs'), 'http'], {
    env: { ...process.env, TASKS: folder, PORT: String(chosen) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await once(child.stderr, 'data');
  return {
    port: chosen,
    url: `http://127.0.0.1:${chosen}/mcp`,
    async close() {
      const ended = once(child, 'exit');
      if (child.kill()) await ended;
    },
  };
}
