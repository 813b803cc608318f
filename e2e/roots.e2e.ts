import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from './support/app.ts';
import { approve, lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';
import { referenceServer } from './support/host.ts';
import { inMain } from './support/inMain.ts';

const screens = resolve(import.meta.dirname, '../test-results/screens');

test('folders are picked with the system’s dialog, reach the running server, and can be removed', async ({
  start,
  dataDir,
}) => {
  await mkdir(screens, { recursive: true });
  const folder = join(await realpath(dataDir), 'my-project');
  await mkdir(folder);
  const file = join(dataDir, 'servers.json');
  const args = [referenceServer('everything'), 'stdio'];
  await writeFile(file, JSON.stringify({ mcpServers: { everything: { command: process.execPath, args } } }));
  const { app, page } = await start();
  await inMain(
    app,
    ({ dialog }, path) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
    },
    folder,
  );
  await serversReady(page);
  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const edit = () => page.getByRole('button', { name: 'Edit' }).click();
  await edit();
  await dialog.getByRole('button', { name: 'Add folder…' }).click();
  const remove = dialog.getByRole('button', { name: `Remove the folder ${folder}` });
  await expect(remove).toBeVisible();
  await remove.scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(screens, 'roots-form.png') });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  expect(JSON.parse(await readFile(file, 'utf8')).mcpServers.everything.roots).toEqual([folder]);

  await page.getByRole('button', { name: 'New conversation' }).click();
  await send(page, '/everything get-roots-list {}');
  await approve(page);
  await turnEnds(page);
  await expect(lastAnswer(page)).toContainText('my-project');

  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  await edit();
  await remove.click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  expect(JSON.parse(await readFile(file, 'utf8')).mcpServers.everything.roots).toBeUndefined();
});
