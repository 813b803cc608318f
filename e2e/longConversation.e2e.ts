import { join } from 'node:path';
import { Conversations } from '../main/chat/conversations.ts';
import { openDatabase } from '../main/database.ts';
import { expect, test } from './support/app.ts';
import { expectAccessible } from './support/axe.ts';
import { lastAnswer, send, turnEnds } from './support/chat.ts';
import { inMain } from './support/inMain.ts';
import { writeConversations } from './support/longConversation.ts';
import { resize, shootZoomed, zoomTwice } from './support/window.ts';

test('of a long conversation only a part is in the page, and every place of it is reached', async ({
  start,
  dataDir,
}) => {
  writeConversations(dataDir, { Long: 2000 });
  const { page } = await start();
  await page.setViewportSize({ width: 800, height: 600 });
  await page.getByRole('button', { name: 'Long', exact: true }).click();
  const articles = page.getByRole('log').getByRole('article');
  const jump = page.getByRole('button', { name: 'Jump to latest' });
  await expect(articles.last()).toContainText('Answer 1999:');
  await expect(articles.last()).toBeInViewport();
  await expect(jump).toBeHidden();
  expect(await articles.count()).toBeLessThan(200);

  // Scrolling up brings the earlier ones, and what is seen stays where it is.
  const list = page.getByRole('region', { name: 'Messages' });
  await list.press('Home');
  await expect(articles.filter({ hasText: 'Question 1900:' })).toHaveCount(1);
  await expect(jump).toBeVisible();
  const seen = articles.filter({ hasText: 'Question 1940:' });
  await seen.scrollIntoViewIfNeeded();
  const topOf = async () => Math.round((await seen.boundingBox())?.y ?? -1);
  const before = await topOf();
  await list.evaluate(box => box.dispatchEvent(new Event('scroll')));
  await page.mouse.move(500, 300);
  await page.mouse.wheel(0, -100);
  await expect.poll(topOf).toBeGreaterThan(before);
  expect(Math.abs((await topOf()) - before - 100)).toBeLessThan(60);

  // A found message far up, without all that is between.
  const field = page.getByRole('textbox', { name: 'Search conversations' });
  await field.fill('"question 16:"');
  await page.getByRole('navigation', { name: 'Found conversations' }).getByText('Question').first().click();
  const found = articles.filter({ hasText: 'Question 16:' });
  await expect(found).toBeInViewport();
  await expect(found).toBeFocused();
  expect(await articles.count()).toBeLessThanOrEqual(300);
  await expectAccessible(page);
  await page.screenshot({ path: 'test-results/screens/long-found.png' });

  // Down through the end of the part, and back to the end of all.
  await expect(async () => {
    await list.press('End');
    await expect(articles.filter({ hasText: 'Question 60:' })).toHaveCount(1, { timeout: 500 });
  }).toPass();
  await expect(articles.last()).not.toContainText('Answer 1999:');
  await jump.click();
  await expect(articles.last()).toContainText('Answer 1999:');
  await expect(articles.last()).toBeInViewport();
  await expect(jump).toBeHidden();

  // Whoever writes from further up sees what comes.
  await list.press('Home');
  await expect(jump).toBeVisible();
  await send(page, 'hello');
  await turnEnds(page);
  await expect(lastAnswer(page)).toBeInViewport();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a text is found in a long conversation from the keyboard, ${colorScheme}`, async ({
    start,
    dataDir,
  }) => {
    writeConversations(dataDir, { Long: 2000 });
    const { app, page } = await start();
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 800, height: 600 });
    await page.getByRole('button', { name: 'Long', exact: true }).click();
    await expect(page.getByRole('log')).toContainText('Answer 1999:');
    await inMain(app, ({ Menu }) => {
      const chat = Menu.getApplicationMenu()?.items.find(({ label }) => label === '&Chat')?.submenu;
      chat?.items.find(({ label }) => label === 'Find in conversation')?.click();
    });
    const bar = page.getByRole('search', { name: 'Find in this conversation' });
    const field = bar.getByRole('textbox');
    await expect(field).toBeFocused();
    await page.keyboard.type('QUESTION 12');
    await expect(bar.getByRole('status')).toHaveText('56 of 56 messages');
    const article = (text: string) => page.getByRole('article').filter({ hasText: text });
    await expect(article('Question 1298:')).toBeInViewport();
    const marks = () => page.evaluate(() => CSS.highlights.get('found')?.size ?? 0);
    expect(await marks()).toBeGreaterThan(0);
    await expectAccessible(page);
    await page.screenshot({ path: `test-results/screens/find-${colorScheme}.png` });
    // Around the beginning it goes on from the other end; the cursor stays where one types.
    await page.keyboard.press('Shift+Enter');
    await expect(bar.getByRole('status')).toHaveText('1 of 56 messages');
    await expect(article('Question 12:')).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(article('Question 1298:')).toBeInViewport();
    await expect(field).toBeFocused();
    await field.fill('no such words');
    await expect(bar.getByRole('status')).toHaveText('Nothing found');
    expect(await marks()).toBe(0);
    await page.keyboard.press('Escape');
    await expect(bar).toHaveCount(0);
  });

  test(`the outline leads to what the person wrote, from the keyboard, ${colorScheme}`, async ({
    start,
    dataDir,
  }) => {
    writeConversations(dataDir, { Long: 3000 });
    const { app, page } = await start();
    await page.emulateMedia({ colorScheme });
    await resize(app, page, 800, 600);
    const outline = page.getByRole('dialog', { name: 'What you wrote in this conversation' });
    const status = outline.getByRole('status');
    await page.getByRole('button', { name: 'What you wrote' }).click();
    await expect(status).toContainText('You have not written anything here yet.');
    await page.screenshot({ path: `test-results/screens/outline-empty-${colorScheme}.png` });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Long', exact: true }).click();
    await expect(page.getByRole('log')).toContainText('Answer 2999:');

    const show = () =>
      inMain(app, ({ Menu }) => {
        const chat = Menu.getApplicationMenu()?.items.find(({ label }) => label === '&Chat')?.submenu;
        chat?.items.find(({ label }) => label === 'What you wrote…')?.click();
      });
    const options = outline.getByRole('option');
    const chosen = outline.getByRole('option', { selected: true });
    const article = (text: string) => page.getByRole('article').filter({ hasText: text });
    await show();
    await expect(outline.getByRole('combobox')).toBeFocused();
    await expect(status).toHaveText('1,500 messages of yours');
    await expect(chosen).toHaveText(/^Question 299[68]:/);
    await expect(chosen).toHaveAttribute('aria-current', 'location');
    expect(await options.count()).toBeLessThan(60);
    await page.keyboard.press('Control+Home');
    await expect(chosen).toHaveText(/^Question 0:/);
    await page.keyboard.press('PageDown');
    await page.keyboard.press('ArrowUp');
    await expect(chosen).toHaveText(/^Question 14:/);
    await expect(chosen).toBeInViewport();
    await expectAccessible(page);
    await page.screenshot({ path: `test-results/screens/outline-${colorScheme}.png` });
    await page.keyboard.press('Enter');
    await expect(outline).toHaveCount(0);
    await expect(article('Question 14:')).toBeInViewport();
    await expect(article('Question 14:')).toBeFocused();

    await zoomTwice(app, page);
    await show();
    await expect(chosen).toHaveText(/^Question 1[246]:/);
    await page.keyboard.type('no such words');
    await expect(options).toHaveCount(0);
    await outline.getByRole('combobox').fill('question 277');
    await expect(status).toHaveText('5 of 1,500 messages of yours');
    await expect(chosen).toBeInViewport();
    await expectAccessible(page);
    await shootZoomed(app, page, `test-results/screens/outline-zoomed-${colorScheme}.png`);
    await chosen.click();
    await expect(article('Question 2778:')).toBeInViewport();
  });
}

test('what is found in thinking and in the result of a call is opened there', async ({ start, dataDir }) => {
  const db = openDatabase(join(dataDir, 'parley.db'));
  const conversations = new Conversations(db, () => {});
  const { id } = conversations.create();
  conversations.addUserMessage(id, 'Look for it.');
  const answer = conversations.beginAnswer(id, 'guide');
  conversations.setBlock(answer, 0, { type: 'thinking', text: 'Perhaps a hidden pearl.' });
  conversations.setBlock(answer, 1, {
    type: 'toolCall',
    id: 'call',
    modelName: 'sea__dive',
    input: {},
    status: 'done',
    result: { content: [{ type: 'text', text: 'a ruby' }] },
  });
  conversations.finish(answer, 'complete');
  db.close();
  const { app, page } = await start();
  await page.getByRole('button', { name: 'Look for it.', exact: true }).click();
  await expect(page.getByText('Thought about it')).toBeVisible();
  await inMain(app, ({ Menu }) => {
    const chat = Menu.getApplicationMenu()?.items.find(({ label }) => label === '&Chat')?.submenu;
    chat?.items.find(({ label }) => label === 'Find in conversation')?.click();
  });
  const bar = page.getByRole('search', { name: 'Find in this conversation' });
  for (const [query, text] of [
    ['pearl', 'Perhaps a hidden pearl.'],
    ['ruby', 'a ruby'],
  ] as const) {
    await expect(page.getByText(text)).toBeHidden();
    await bar.getByRole('textbox').fill(query);
    await expect(bar.getByRole('status')).toHaveText('1 of 1 message');
    await expect(page.getByText(text)).toBeInViewport();
  }
});
