import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './support/app.ts';
import { approve, send, serversReady, turnEnds } from './support/chat.ts';
import { ownServer } from './support/host.ts';
import { tasksIn } from './support/tasks.ts';
import { resize } from './support/window.ts';

const screens = resolve(import.meta.dirname, '../test-results/screens');

/** A data directory with the tasks server, and its tasks. */
async function prepare(dataDir: string, theme = 'light') {
  await mkdir(screens, { recursive: true });
  const folder = join(dataDir, 'tasks');
  await mkdir(folder);
  const worker = { command: process.execPath, args: [ownServer('tasks.mjs')], env: { TASKS: folder } };
  await writeFile(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { worker } }));
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ theme }));
  return tasksIn(folder);
}

const card = (page: Page, status: RegExp) => page.getByRole('button', { name: status });
const openFirst = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Conversations' })
    .getByRole('listitem')
    .getByRole('button')
    .first()
    .click();

for (const [how, theme] of [
  ['a quit', 'light'],
  ['a crash', 'dark'],
] as const) {
  test(`a task survives ${how}: its card shows it running again, and then its result`, async ({
    start,
    dataDir,
  }) => {
    const tasks = await prepare(dataDir, theme);
    const first = await start();
    await serversReady(first.page);
    await send(first.page, '/worker work {}');
    await approve(first.page);
    await expect(first.page.getByText('Half of it is done')).toBeVisible();
    await expect(first.page.getByText(/^started \d/)).toBeVisible();
    await first.page.screenshot({ path: join(screens, `${theme}-task-running.png`) });
    const [id = ''] = await tasks.ids();
    await (how === 'a quit' ? first.close() : first.crash());
    expect(await tasks.cancelled()).toEqual([]);

    const { app, page } = await start();
    await serversReady(page);
    await openFirst(page);
    await expect(card(page, /worker.*work.*running/)).toBeVisible();
    await expect(page.getByText('Half of it is done')).toBeVisible();
    await resize(app, page, 800, 600);
    await page.screenshot({ path: join(screens, `${theme}-task-again-800x600.png`) });
    await tasks.finish(id, 'All of it is done');
    await card(page, /worker.*work.*done/).click();
    await expect(page.getByText('All of it is done').first()).toBeVisible();
    await page.screenshot({ path: join(screens, `${theme}-task-done-800x600.png`) });
    expect(await tasks.cancelled()).toEqual([]);
  });
}

test('a task is cancelled on its card, now and after a restart', async ({ start, dataDir }) => {
  const tasks = await prepare(dataDir);
  const first = await start();
  await serversReady(first.page);
  await send(first.page, '/worker work {}');
  await approve(first.page);
  await first.page.getByRole('log').getByRole('button', { name: 'Cancel' }).click();
  await turnEnds(first.page);
  await expect(card(first.page, /worker.*work.*stopped/)).toBeVisible();
  expect(await tasks.cancelled()).toHaveLength(1);
  await send(first.page, '/worker work {}');
  await approve(first.page);
  await expect(first.page.getByText('Half of it is done')).toBeVisible();
  await first.close();
  expect(await tasks.cancelled()).toHaveLength(1);

  const { page } = await start();
  await serversReady(page);
  await openFirst(page);
  await page.getByRole('log').getByRole('button', { name: 'Cancel' }).click();
  await expect(card(page, /worker.*work.*running/)).toBeHidden();
  await expect(card(page, /worker.*work.*stopped/)).toHaveCount(2);
  await expect.poll(() => tasks.cancelled()).toHaveLength(2);
});
