import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from './support/app.ts';
import { approve, lastAnswer, send, serversReady } from './support/chat.ts';
import { inMain } from './support/inMain.ts';

const root = resolve(import.meta.dirname, '..');

test('the packaged app starts, runs its own server and answers', async ({ start }) => {
  test.setTimeout(240_000);
  test.skip(process.platform !== 'linux', 'The unpacked folder has another layout there.');
  const out = await mkdtemp(join(tmpdir(), 'parley-package-'));
  try {
    const script = join(root, 'scripts', 'package.mjs');
    await promisify(execFile)(process.execPath, [script, `-c.directories.output=${out}`], { cwd: root });
    const { app, page } = await start({ executablePath: join(out, 'linux-unpacked', 'parley-desktop') });
    expect(await inMain(app, ({ app: electron }) => electron.isPackaged)).toBe(true);
    await serversReady(page);
    await send(page, 'add 19 and 23');
    await approve(page);
    await expect(lastAnswer(page)).toContainText('42');
  } finally {
    await rm(out, { recursive: true, force: true });
  }
});
