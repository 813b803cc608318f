import { expect, test } from './support/app.ts';
import { approval, approve, lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';

test('a newcomer with no configuration asks the Guide, approves a call and reads the result', async ({
  start,
}) => {
  const { page } = await start();
  await expect(page.getByText('Guide: no language model')).toBeVisible();
  await serversReady(page);

  await page.getByRole('button', { name: 'add 19 and 23' }).click();
  await expect(approval(page)).toContainText('sample');
  await expect(approval(page)).toContainText('19');
  await approve(page);

  await expect(lastAnswer(page)).toContainText('42');
  await turnEnds(page);
  await expect(page.getByRole('button', { name: /sample.*Add two numbers.*done/ })).toBeVisible();
});

test('a denied call does not run and the turn ends', async ({ start }) => {
  const { page } = await start();
  await serversReady(page);
  await send(page, 'add 19 and 23');
  await approval(page).getByRole('button', { name: 'Deny' }).click();
  await turnEnds(page);
  await expect(page.getByRole('button', { name: /sample.*Add two numbers.*denied/ })).toBeVisible();
  await expect(page.getByText('42')).toHaveCount(0);
});

test('a tool that is always allowed runs without a question, until the rule is taken back', async ({
  start,
}) => {
  const { page } = await start();
  await serversReady(page);
  await send(page, 'add 1 and 2');
  await approval(page).getByRole('button', { name: 'Always allow' }).click();
  await expect(lastAnswer(page)).toContainText('3');
  await turnEnds(page);

  await send(page, 'add 20 and 22');
  await expect(lastAnswer(page)).toContainText('42');
  await turnEnds(page);

  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('tab', { name: 'Tools' }).click();
  await page.getByRole('combobox', { name: 'When the model calls add' }).click();
  await page.getByRole('option', { name: 'Ask' }).click();
  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  await send(page, 'add 3 and 4');
  await expect(approval(page)).toBeVisible();
});

test('a stray key does not approve, and Stop ends the question and the turn', async ({ start }) => {
  const { page } = await start();
  await serversReady(page);
  await send(page, 'add 19 and 23');
  await expect(approval(page)).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await expect(approval(page)).toBeVisible();
  await page.getByRole('button', { name: 'Stop', exact: true }).last().click();
  await turnEnds(page);
  await expect(approval(page)).toBeHidden();
  await expect(page.getByRole('button', { name: /sample.*Add two numbers.*stopped/ })).toBeVisible();
});
