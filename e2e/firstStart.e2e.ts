import { expect, test } from './support/app.ts';
import { approve, send } from './support/chat.ts';

test('a newcomer with no configuration asks the Guide, approves a call and reads the result', async ({
  start,
}) => {
  const { page } = await start();
  await expect(page.getByText('Guide: no language model').first()).toBeVisible();

  await send(page, 'add 19 and 23');
  const approval = page.getByRole('group', { name: /approve/i });
  await expect(approval).toContainText('sample');
  await expect(approval).toContainText('19');
  await approve(page);

  await expect(page.getByRole('article', { name: 'Guide' }).last()).toContainText('42');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden();
});

test('a denied call does not run and the turn ends', async ({ start }) => {
  const { page } = await start();
  await send(page, 'add 19 and 23');
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByRole('button', { name: /sample.*add/i })).toContainText(/denied/i);
  await expect(page.getByRole('article', { name: 'Guide' }).last()).not.toContainText('42');
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
});
