import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Conversations } from '../main/chat/conversations.ts';
import { openDatabase } from '../main/database.ts';
import { expect, test } from './support/app.ts';
import { inMain } from './support/inMain.ts';

/** Conversations as an earlier Parley left them. */
function fill(dataDir: string): void {
  const db = openDatabase(join(dataDir, 'parley.db'));
  const conversations = new Conversations(db, () => {});
  for (const [title, ...texts] of [
    [
      'Travel',
      ...Array.from({ length: 40 }, (_, nth) => `Day ${nth}: a long walk. ${'And on. '.repeat(40)}`),
    ],
    ['Bread', 'How long does sourdough rest?', 'And what about rye?'],
    ['Old notes', 'Nothing about food.'],
  ] as [string, ...string[]][]) {
    const { id } = conversations.create();
    conversations.rename(id, title);
    for (const text of texts) {
      conversations.addUserMessage(id, text);
      const answer = conversations.beginAnswer(id, 'guide');
      conversations.setBlock(answer, 0, { type: 'text', text: `About “${text.slice(0, 20)}”: it depends.` });
      conversations.finish(answer, 'complete');
    }
  }
  db.close();
}

const titles = (page: Page) => page.getByRole('navigation', { name: 'Conversations' }).locator('li');

for (const colorScheme of ['light', 'dark'] as const) {
  test(`all conversations are searched from the keyboard, and a place is shown, ${colorScheme}`, async ({
    start,
    dataDir,
  }) => {
    fill(dataDir);
    const { app, page } = await start();
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 800, height: 600 });
    const field = page.getByRole('textbox', { name: 'Search conversations' });
    await inMain(app, ({ Menu }) => {
      const chat = Menu.getApplicationMenu()?.items.find(({ label }) => label === '&Chat')?.submenu;
      chat?.items.find(({ label }) => label === 'Search conversations')?.click();
    });
    await expect(field).toBeFocused();
    await page.keyboard.type('day 17');
    const found = page.getByRole('navigation', { name: 'Found conversations' });
    await expect(found.getByRole('status')).toHaveText('Found in one conversation.');
    await expect(found.locator('mark').first()).toHaveText('Day');
    await page.screenshot({ path: `test-results/screens/search-${colorScheme}.png` });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const message = page.getByRole('article', { name: 'You' }).filter({ hasText: 'Day 17:' });
    await expect(message).toBeInViewport();
    await expect(message).toBeFocused();
    await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
    await page.screenshot({ path: `test-results/screens/search-found-${colorScheme}.png` });
    await field.fill('no such thing');
    await expect(found.getByRole('status')).toHaveText('Nothing found.');
    await field.press('Escape');
    await expect(titles(page)).toHaveCount(3);
  });
}

test('conversations are pinned and archived, and are so after a restart', async ({ start, dataDir }) => {
  fill(dataDir);
  const { page, close } = await start();
  const choose = async (title: string, what: string) => {
    await page.getByRole('button', { name: `More for ${title}` }).click();
    await page.getByRole('menuitem', { name: what, exact: true }).click();
  };
  await expect(titles(page)).toHaveText([/Old notes/, /Bread/, /Travel/]);
  await choose('Travel', 'Pin');
  await expect(titles(page)).toHaveText([/Travel/, /Old notes/, /Bread/]);
  await choose('Old notes', 'Archive');
  await expect(page.getByText('Archive (1)')).toBeVisible();
  await page.screenshot({ path: 'test-results/screens/pinned-archived.png' });
  await close();

  const { page: again } = await start();
  await expect(again.getByRole('button', { name: 'Old notes' })).toBeHidden();
  await again.getByText('Archive (1)').click();
  await expect(titles(again)).toHaveText([/Travel/, /Bread/, /Old notes/]);
});
