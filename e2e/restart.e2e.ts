import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './support/app.ts';
import { approve, lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';
import { ownServer } from './support/host.ts';
import { isAlive } from './support/processes.ts';

test('a restart keeps conversations, their titles and their results', async ({ start }) => {
  const first = await start();
  await serversReady(first.page);
  await send(first.page, 'add 19 and 23');
  await approve(first.page);
  await turnEnds(first.page);
  await expect(lastAnswer(first.page)).toContainText('42');
  await first.page.getByRole('button', { name: 'More for add 19 and 23' }).click();
  await first.page.getByRole('menuitem', { name: 'Rename' }).click();
  await first.page.getByRole('textbox', { name: 'Title' }).fill('Sums');
  await first.page.keyboard.press('Enter');
  await expect(first.page.getByRole('heading', { name: 'Sums' })).toBeVisible();
  await first.close();

  const { page } = await start();
  await page
    .getByRole('navigation', { name: 'Conversations' })
    .getByRole('button', { name: 'Sums', exact: true })
    .click();
  await expect(lastAnswer(page)).toContainText('42');
  await page.getByRole('button', { name: /sample.*Add two numbers.*done/ }).click();
  await expect(page.getByText('19 + 23 = 42').first()).toBeVisible();

  await page.getByRole('button', { name: 'More for Sums' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Your conversations will be listed here.')).toBeVisible();
});

test('after kill -9 in the middle of a call the conversation opens and goes on, and no server is left', async ({
  start,
  dataDir,
}) => {
  const pidFile = join(dataDir, 'pid');
  const stubborn = {
    command: process.execPath,
    args: [ownServer('raw.mjs')],
    env: { PIDFILE: pidFile, STUBBORN: '1' },
  };
  const servers = { mcpServers: { sample: { command: 'parley-sample-server' }, stubborn } };
  await writeFile(join(dataDir, 'servers.json'), JSON.stringify(servers));

  const first = await start();
  await serversReady(first.page, 2);
  await send(first.page, '/sample count-slowly {"steps": 500}');
  await approve(first.page);
  await expect(first.page.getByRole('button', { name: /sample.*running/ })).toBeVisible();
  const server = Number(await readFile(pidFile, 'utf8'));
  await first.crash();
  await expect.poll(() => isAlive(server), { timeout: 15_000 }).toBe(false);

  const { page } = await start();
  await serversReady(page, 2);
  await page
    .getByRole('navigation', { name: 'Conversations' })
    .getByRole('button', { name: /^\/sample count-slowly/ })
    .click();
  await expect(page.getByRole('button', { name: /sample.*interrupted/ })).toBeVisible();
  await send(page, 'add 19 and 23');
  await approve(page);
  await turnEnds(page);
  await expect(lastAnswer(page)).toContainText('42');
});

test('quitting ends the program also when there is no server to wait for', async ({ start, dataDir }) => {
  await writeFile(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: {} }));
  const { app, close } = await start();
  const main = app.process();
  await close();
  expect(main.exitCode).toBe(0);
});
