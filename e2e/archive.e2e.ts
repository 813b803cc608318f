import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from './support/app.ts';
import { expectAccessible } from './support/axe.ts';
import { inMain } from './support/inMain.ts';
import { resize } from './support/window.ts';

const screens = resolve(import.meta.dirname, '../test-results/screens');

const ofClaude = ['Roman roads', 'A trip to Paris', 'Sourdough'].map((name, index) => ({
  uuid: `c${index}`,
  name,
  created_at: '2025-03-01T10:00:00Z',
  updated_at: `2025-03-0${index + 1}T10:00:00Z`,
  chat_messages: [
    { uuid: `q${index}`, sender: 'human', text: `Tell me about ${name}` },
    { uuid: `a${index}`, sender: 'assistant', text: `**${name}**, then.` },
  ],
}));

test('conversations come in from a file, are put into a folder and deleted together, go out, and come back from a backup', async ({
  start,
  dataDir,
}) => {
  await mkdir(screens, { recursive: true });
  const files = {
    claude: join(dataDir, 'conversations.json'),
    broken: join(dataDir, 'broken.json'),
    exported: join(dataDir, 'exported.json'),
    backup: join(dataDir, 'mine.backup'),
  };
  await writeFile(files.claude, JSON.stringify(ofClaude));
  await writeFile(files.broken, '{"format": "other"}');
  const first = await start();
  const { app, page } = first;
  const picks = (path: string) =>
    inMain(
      app,
      ({ dialog }, file) => {
        dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [file] });
        dialog.showSaveDialog = async () => ({ canceled: false, filePath: file });
      },
      path,
    );
  const list = page.getByRole('navigation', { name: 'Conversations' });
  const titles = list.locator('li');
  const settings = () => page.getByRole('button', { name: 'Model', exact: true }).click();

  await settings();
  await picks(files.broken);
  await page.getByRole('button', { name: 'Import…' }).click();
  await expect(page.getByRole('alert')).toContainText('Nothing in it is a conversation');
  await picks(files.claude);
  await page.getByRole('button', { name: 'Import…' }).click();
  await expect(page.getByText('Imported 3 conversations.')).toBeVisible();
  await expect(titles).toHaveText([/Sourdough/, /A trip to Paris/, /Roman roads/]);
  await list.getByRole('button', { name: 'Sourdough', exact: true }).click();
  await expect(page.getByRole('article', { name: 'Assistant' }).locator('strong')).toHaveText('Sourdough');

  await settings();
  await picks(files.backup);
  await page.getByRole('button', { name: 'Back up…' }).click();
  await expect(page.getByText('The backup is written.')).toBeVisible();

  await list
    .getByRole('button', { name: 'A trip to Paris', exact: true })
    .click({ modifiers: ['ControlOrMeta'] });
  await list.getByRole('checkbox', { name: 'Roman roads' }).check();
  await expect(list.getByRole('status')).toHaveText('2 selected');
  await expectAccessible(page);
  await page.screenshot({ path: join(screens, 'archive-selecting.png') });
  await list.getByRole('button', { name: 'Move to a folder…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Travel');
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(list.locator('summary')).toHaveText('Travel (2)');
  await expect(titles).toHaveText([/Sourdough/, /A trip to Paris/, /Roman roads/]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
    await page.screenshot({ path: join(screens, `${colorScheme}-archive.png`) });
  }
  await resize(app, page, 800, 600);
  await page.getByRole('button', { name: 'Restore a backup…' }).scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(screens, 'archive-800x600.png') });

  await page.getByRole('button', { name: 'More for Sourdough' }).click();
  await page.getByRole('menuitem', { name: 'Select several' }).click();
  await list.getByRole('button', { name: 'All', exact: true }).click();
  await picks(files.exported);
  await list.getByRole('button', { name: 'Export as JSON…' }).click();
  await expect(list.getByRole('checkbox')).toHaveCount(0);
  const { conversations } = JSON.parse(await readFile(files.exported, 'utf8'));
  expect(conversations.map(({ folder }: { folder?: string }) => folder)).toEqual([
    undefined,
    'Travel',
    'Travel',
  ]);
  await page.getByRole('button', { name: 'More for Sourdough' }).click();
  await page.getByRole('menuitem', { name: 'Select several' }).click();
  await list.getByRole('button', { name: 'All', exact: true }).click();
  await list.getByRole('button', { name: 'Delete…' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(titles).toHaveCount(0);

  await picks(files.backup);
  await inMain(app, electron => {
    electron.app.relaunch = () => undefined;
  });
  await page.getByRole('button', { name: 'Restore a backup…' }).click();
  await expect(dialog).toContainText('It holds 3 conversations and no rule that lets a tool run unasked.');
  await page.screenshot({ path: join(screens, 'archive-restore.png') });
  const ended = app.waitForEvent('close');
  await dialog.getByRole('button', { name: 'Restore and start again' }).click();
  await ended;

  const second = await start();
  await expect(second.page.getByText('The backup is in place.')).toBeVisible();
  await expect(second.page.getByRole('navigation', { name: 'Conversations' }).locator('li')).toHaveCount(3);
});
