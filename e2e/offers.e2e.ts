import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from './support/app.ts';
import { serversReady } from './support/chat.ts';
import { ownServer } from './support/host.ts';
import { inMain } from './support/inMain.ts';
import { resize } from './support/window.ts';

const screens = resolve(import.meta.dirname, '../test-results/screens');

for (const theme of ['light', 'dark'] as const) {
  test(`a server's page: a resource is read, a template and a prompt are filled in with its suggestions, ${theme}`, async ({
    start,
    dataDir,
  }) => {
    await mkdir(screens, { recursive: true });
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ theme }));
    const { app, page } = await start();
    await resize(app, page, 800, 600);
    const shot = (name: string) => page.screenshot({ path: join(screens, `${theme}-offers-${name}.png`) });
    await serversReady(page);
    await page.getByRole('button', { name: 'Servers', exact: true }).click();
    await page.getByRole('button', { name: 'Details' }).click();

    await page.getByRole('tab', { name: 'Resources' }).click();
    await page.getByRole('button', { name: 'About this server' }).click();
    const about = page.getByRole('region', { name: 'Contents of sample://about' });
    await expect(about).toContainText('# Parley sample server');
    await shot('1-resource');
    await inMain(
      app,
      ({ dialog }, path) => {
        dialog.showSaveDialog = async () => ({ canceled: false, filePath: path });
      },
      join(dataDir, 'about.md'),
    );
    await about.getByRole('button', { name: 'Save…' }).click();
    await expect
      .poll(() => readFile(join(dataDir, 'about.md'), 'utf8').catch(() => ''))
      .toContain('# Parley sample server');
    await page.getByRole('button', { name: 'About this server' }).click();

    await page.getByRole('button', { name: 'Recipe', exact: true }).click();
    const name = page.getByRole('combobox', { name: 'name' });
    await name.fill('p');
    await expect(page.getByRole('option')).toHaveText(['pancakes', 'porridge']);
    await shot('2-template');
    await name.press('ArrowDown');
    await name.press('ArrowDown');
    await name.press('Enter');
    await expect(name).toHaveValue('porridge');
    await name.press('Enter');
    await expect(page.getByRole('region', { name: 'Contents of sample://recipes/porridge' })).toContainText(
      'Simmer 50 g oats',
    );

    await page.getByRole('tab', { name: 'Prompts' }).click();
    await page.getByRole('button', { name: 'Cook something' }).click();
    await page.getByRole('button', { name: 'Show messages' }).click();
    await expect(page.getByText('This is needed.')).toBeVisible();
    await page.getByRole('combobox', { name: 'dish' }).fill('sal');
    await page.getByRole('option', { name: 'salad' }).click();
    await page.getByRole('button', { name: 'Show messages' }).click();
    await expect(page.getByRole('region', { name: 'Messages of the prompt' })).toContainText(
      'a plan to cook salad for 2 people',
    );
    await shot('3-prompt');
  });
}

test('what is followed is read again by itself, a picture is shown, a resource that is gone is said so', async ({
  start,
  dataDir,
}) => {
  const library = { command: process.execPath, args: [ownServer('library.mjs')] };
  await writeFile(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { library } }));
  const { page } = await start();
  await serversReady(page);
  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  await page.getByRole('button', { name: 'library', exact: true }).click();
  await expect(page.getByText('Calls itself')).toBeVisible();
  await expect(page.locator('main img')).toHaveCount(1);
  await page.getByRole('tab', { name: 'Resources' }).click();
  await page.getByRole('button', { name: 'picture' }).click();
  await expect(page.getByRole('img', { name: 'From lib://picture' })).toBeVisible();
  await page.getByRole('button', { name: 'fresh' }).click();
  const fresh = page.getByRole('region', { name: 'Contents of lib://fresh' });
  await expect(fresh).toContainText('read 1');
  await fresh.getByRole('button', { name: 'Read again' }).click();
  await expect(fresh).toContainText('read 2');
  // The acknowledgement of the server is itself a reason to look.
  await fresh.getByRole('switch', { name: 'Follow changes' }).click();
  await expect(fresh).toContainText('read 3');

  await page.getByRole('button', { name: 'chatty' }).click();
  await expect(page.getByRole('region', { name: 'Contents of lib://chatty' })).toContainText('said');
  await page.getByRole('tab', { name: 'Log' }).click();
  const log = page.getByRole('region', { name: 'Log of library' });
  await expect(log).toContainText('{"low":"ink"}');
  await page.screenshot({ path: join(screens, 'offers-4-log.png') });
  await page.getByRole('combobox', { name: 'Show from' }).click();
  await page.getByRole('option', { name: 'critical' }).click();
  await expect(page.getByText('Nothing in the log fits.')).toBeVisible();
  await page.getByRole('tab', { name: 'Resources' }).click();

  await page.getByRole('button', { name: 'page' }).click();
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('does not have “lib://pages/”');
});
