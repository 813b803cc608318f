import type { Locator } from '@playwright/test';
import { expect, test } from './support/app.ts';
import { expectAccessible } from './support/axe.ts';
import { approve, lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';

test('what is written and not sent is kept for each conversation, and is there after a restart', async ({
  start,
}) => {
  const first = await start();
  await serversReady(first.page);
  const composer = first.page.getByRole('textbox', { name: 'Message' });
  await send(first.page, 'help');
  await turnEnds(first.page);
  await composer.fill('a thought for this one');
  await first.page.getByRole('button', { name: 'New conversation' }).click();
  await expect(composer).toHaveValue('');
  await composer.fill('another,\nfor a new one');
  const conversation = first.page
    .getByRole('navigation', { name: 'Conversations' })
    .getByRole('button', { name: 'help', exact: true });
  await conversation.click();
  await expect(composer).toHaveValue('a thought for this one');
  await first.page.getByRole('button', { name: 'New conversation' }).click();
  await expect(composer).toHaveValue('another,\nfor a new one');
  await first.page.waitForFunction(async () => {
    const reply = await window.parley.request('drafts.get', {});
    return reply.ok && reply.value.text.includes('for a new one');
  });
  await first.close();

  const { page } = await start();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('another,\nfor a new one');
  await page
    .getByRole('navigation', { name: 'Conversations' })
    .getByRole('button', { name: 'help', exact: true })
    .click();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('a thought for this one');
});

test('the up-arrow in an empty field edits what was sent last; Esc leaves it as it is', async ({ start }) => {
  const { page, close } = await start();
  await serversReady(page);
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  const edit = page.getByRole('textbox', { name: 'Edit message' });
  await composer.press('ArrowUp');
  await expect(edit).toHaveCount(0);
  await send(page, 'help');
  await turnEnds(page);
  await composer.press('ArrowUp');
  await expect(edit).toBeFocused();
  await expect(edit).toHaveValue('help');
  await page.keyboard.press('Escape');
  await expect(composer).toBeFocused();
  await composer.press('ArrowUp');
  await edit.pressSequentially(' me');
  await edit.press('Enter');
  await turnEnds(page);
  const own = page.getByRole('article', { name: 'You' });
  await expect(own).toHaveCount(1);
  await expect(own.getByText('help me')).toBeVisible();
  await expect(lastAnswer(page)).toContainText('Here is what I can do.');

  await composer.press('ArrowUp');
  await edit.fill('help me with this');
  await close();
  const later = (await start()).page;
  await later.getByRole('navigation').getByRole('button', { name: 'help', exact: true }).click();
  const kept = later.getByRole('textbox', { name: 'Edit message' });
  await expect(kept).toHaveValue('help me with this');
  await kept.press('Escape');
  await expect(kept).toHaveCount(0);
});

test('a / at the start opens the commands of the app, and the commands of the Guide still work', async ({
  start,
}) => {
  const { page } = await start();
  await serversReady(page);
  const composer = page.getByRole('textbox', { name: 'Message' });
  await composer.pressSequentially('/');
  const list = page.getByRole('listbox', { name: 'Commands' });
  await expect(list.getByRole('option')).toContainText([
    'New conversation',
    'Open servers',
    'Open model',
    'Cook something',
  ]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 800, height: 600 });
    await page.screenshot({ path: `test-results/screens/${colorScheme}-commands.png` });
    await expectAccessible(page);
  }
  await composer.press('Escape');
  await expect(list).toBeHidden();
  await composer.press('Backspace');
  await composer.pressSequentially('/serv');
  await expect(list.getByRole('option')).toHaveText([/^Open servers/]);
  await composer.press('Enter');
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
  await page.getByRole('button', { name: 'New conversation' }).click();
  await expect(composer).toHaveValue('');
  await composer.pressSequentially('/sample add {"a":1,"b":2}');
  await composer.press('Enter');
  await approve(page);
  await turnEnds(page);
  await expect(lastAnswer(page)).toContainText('3');
});

test('a / finds the prompts of servers; the messages are looked at and put into the field, not sent', async ({
  start,
}) => {
  const { page } = await start();
  await serversReady(page);
  const composer = page.getByRole('textbox', { name: 'Message' });
  await composer.pressSequentially('/cook');
  await expect(page.getByRole('option')).toHaveText([/^Cook something.*prompt of sample/]);
  await composer.press('Enter');
  await page.getByRole('combobox', { name: 'dish' }).fill('salad');
  await page.getByRole('button', { name: 'Show messages' }).click();
  await expect(page.getByRole('region', { name: 'Messages of the prompt' })).toContainText('cook salad');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 800, height: 600 });
  await page.screenshot({ path: 'test-results/screens/prompt-dialog-dark-800x600.png' });
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Put into the message' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(composer).toHaveValue(/a plan to cook salad/);
  await expect(page.getByRole('article')).toHaveCount(0);
});

test('Enter and Esc that belong to an input method send nothing and close nothing (BC-36)', async ({
  start,
}) => {
  const { page } = await start();
  await serversReady(page);
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  const own = page.getByRole('article', { name: 'You' });
  await composer.fill('日本');
  await pressComposing(composer, 'Enter', { isComposing: true });
  await pressComposing(composer, 'Enter', { isComposing: false });
  await expect(composer).toHaveValue('日本');
  await expect(own).toHaveCount(0);
  await composer.press('Shift+Enter');
  await expect(composer).toHaveValue('日本\n');
  await composer.press('Enter');
  await turnEnds(page);
  await expect(own).toHaveCount(1);

  await composer.press('ArrowUp');
  const edit = page.getByRole('textbox', { name: 'Edit message' });
  for (const isComposing of [true, false]) {
    await pressComposing(edit, 'Enter', { isComposing });
    await pressComposing(edit, 'Escape', { isComposing });
  }
  await expect(edit).toBeVisible();
  await edit.press('Escape');

  await page.getByRole('button', { name: /^More for/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const title = page.getByRole('textbox', { name: /title|name/i });
  await pressComposing(title, 'Enter', { isComposing: false });
  await pressComposing(title, 'Escape', { isComposing: true });
  await expect(title).toBeVisible();
  await title.fill('日本');
  await title.press('Enter');
  await expect(page.getByRole('navigation').getByRole('button', { name: '日本', exact: true })).toBeVisible();
});

/** A key as it comes while an input method composes, or on some systems just after. */
async function pressComposing(field: Locator, key: string, { isComposing }: { isComposing: boolean }) {
  await field.evaluate(
    (element, init) => {
      const event = new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true });
      // As browsers tell it; the constructor does not take it.
      Object.defineProperty(event, 'keyCode', { value: 229 });
      element.dispatchEvent(event);
    },
    { key, isComposing },
  );
}
