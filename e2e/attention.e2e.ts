import type { ElectronApplication, Page } from '@playwright/test';
import { expect, test } from './support/app.ts';
import { approval, serversReady } from './support/chat.ts';
import { inMain } from './support/inMain.ts';

interface Called {
  texts: string[];
  badges: number[];
  click(): void;
}

/** Notifications and the badge are written down instead of shown. */
async function catchCalls(app: ElectronApplication) {
  await inMain(app, ({ app, Notification }) => {
    const called: Called = { texts: [], badges: [], click: () => {} };
    (globalThis as { called?: Called }).called = called;
    Notification.prototype.show = function () {
      called.texts.push(this.body);
      called.click = () => this.emit('click');
    };
    app.setBadgeCount = count => {
      called.badges.push(count ?? -1);
      return true;
    };
  });
  return () =>
    inMain(app, () => {
      const { texts, badges } = (globalThis as unknown as { called: Called }).called;
      return { texts, badge: badges.at(-1) };
    });
}

/** Sends in a conversation that is not on the screen, which works while the window is hidden too. */
function sendElsewhere(page: Page, text: string): Promise<void> {
  return page.evaluate(async message => {
    const created = await window.parley.request('conversations.create', undefined);
    if (!created.ok) throw new Error(created.error.message);
    await window.parley.request('chat.send', { conversationId: created.value.id, text: message });
  }, text);
}

test('a question that comes while the window is hidden raises one notification, which leads to it', async ({
  start,
}) => {
  const { app, page } = await start();
  await serversReady(page);
  const called = await catchCalls(app);
  await inMain(app, ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  await sendElsewhere(page, '/sample add {"a":1,"b":2}');
  await expect.poll(called).toEqual({ texts: ['Approval needed: Add two numbers, from sample.'], badge: 1 });
  await sendElsewhere(page, '/sample add {"a":3,"b":4}');
  await expect.poll(async () => (await called()).badge).toBe(2);
  expect((await called()).texts).toHaveLength(1);

  await inMain(app, () => (globalThis as unknown as { called: Called }).called.click());
  await expect(approval(page)).toContainText('a1b2');
  expect(await inMain(app, ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible())).toBe(true);
  await approval(page).getByRole('button', { name: 'Deny' }).click();
  await expect.poll(async () => (await called()).badge).toBe(1);
});

test('a question of another conversation is marked in the list and leaves whoever is typing alone', async ({
  start,
}) => {
  const { page } = await start();
  await serversReady(page);
  const composer = page.getByRole('textbox', { name: 'Message' });
  await composer.pressSequentially('I was just ');
  await sendElsewhere(page, '/sample add {"a":1,"b":2}');
  const mark = page.getByRole('img', { name: 'Waits for your answer' });
  await expect(mark).toBeVisible();
  await composer.pressSequentially('writing');
  await expect(composer).toHaveValue('I was just writing');
  await expect(composer).toBeFocused();
  await expect(approval(page)).toBeHidden();
  await page.getByRole('button', { name: '/sample add' }).first().click();
  await expect(approval(page)).toBeVisible();
  await approval(page).getByRole('button', { name: 'Deny' }).click();
  await expect(mark).toBeHidden();
});
