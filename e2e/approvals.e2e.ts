import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './support/app.ts';
import { expectAccessible } from './support/axe.ts';
import { approval, approve, lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';
import { ownServer } from './support/host.ts';

const TOOLS = JSON.stringify([
  { name: 'echo', description: 'Says it again.', inputSchema: { type: 'object' } },
  { name: 'turn', description: 'Makes another one of echo.', inputSchema: { type: 'object' } },
]);

async function withRawServer(dataDir: string) {
  const raw = { command: 'node', args: [ownServer('raw.mjs')], env: { TOOLS } };
  await writeFile(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { raw } }));
}

async function openTools(page: Page) {
  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('tab', { name: /^Tools/ }).click();
}

test('arguments are changed in a form before the call is allowed, and the call keeps what was sent', async ({
  start,
}) => {
  const { page } = await start();
  await serversReady(page);
  await send(page, '/sample add {"a":19,"b":23}');
  await expect(approval(page)).toContainText('which runs');
  await approval(page).getByRole('button', { name: 'Edit arguments' }).click();
  const field = approval(page).getByRole('textbox', { name: 'a' });
  await expect(field).toHaveValue('19');
  await field.fill('many');
  await approval(page).getByRole('button', { name: 'Allow once with these' }).click();
  await expect(approval(page).getByRole('alert').first()).toBeVisible();
  await expect(field).toBeFocused();
  await field.fill('20');
  await approval(page).getByRole('button', { name: 'Allow once with these' }).click();
  await turnEnds(page);
  await expect(lastAnswer(page)).toContainText('43');
  const card = page.getByRole('button', { name: /arguments changed by you/ });
  await card.click();
  await expect(page.getByRole('heading', { name: 'Arguments, as you changed them' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What the model wanted' })).toBeVisible();
});

test('an allowed tool that its server changes is asked about again, and what changed is shown', async ({
  start,
  dataDir,
}) => {
  await withRawServer(dataDir);
  const { page } = await start();
  await serversReady(page);
  await send(page, '/raw echo {}');
  await approval(page).getByRole('button', { name: 'Always allow this tool' }).click();
  await turnEnds(page);
  await send(page, '/raw echo {}');
  await turnEnds(page);
  await expect(page.getByRole('button', { name: /echo.*done/ })).toHaveCount(2);

  await send(page, '/raw turn {"description":"Says it to somebody else."}');
  await approve(page);
  await turnEnds(page);
  await openTools(page);
  await expect(page.getByText('It is not as you allowed it')).toBeVisible();
  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  await send(page, '/raw echo {}');
  const change = approval(page).getByRole('note');
  await expect(change).toContainText('This tool has changed since you allowed it');
  await expect(change.getByRole('deletion')).toHaveText('again.');
  await expect(change.getByRole('insertion')).toHaveText('to somebody else.');
  await expectAccessible(page);
  await page.screenshot({
    path: resolve(import.meta.dirname, '../test-results/screens/consent-changed.png'),
  });
  await approval(page).getByRole('button', { name: 'Deny' }).click();
  await turnEnds(page);
});

test('what a server claims of its tools is believed only after the person chose that', async ({ start }) => {
  const { page } = await start();
  await serversReady(page);
  await send(page, '/sample add {"a":1,"b":2}');
  await expect(approval(page)).toContainText('The server says: read-only');
  await approval(page).getByRole('button', { name: 'Deny' }).click();
  await turnEnds(page);

  await openTools(page);
  await page.getByRole('switch', { name: 'Allow tools that say they are read-only' }).click();
  await expect(page.getByText("That is only the server's own word.")).toBeVisible();
  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  await send(page, '/sample add {"a":1,"b":2}');
  await turnEnds(page);
  await expect(lastAnswer(page)).toContainText('3');
  // This one says that it changes things.
  await send(page, '/sample toggle-extra-tool {}');
  await approve(page);
  await turnEnds(page);
});

test('nothing can be agreed to in the first moment, whatever is pressed; refusing can', async ({ start }) => {
  const { page } = await start();
  await serversReady(page);
  // Time stands still in the page until the test lets it go on.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const allow = approval(page).getByRole('button', { name: 'Allow once' });
  await send(page, '/sample add {"a":1,"b":2}');
  await expect(allow).toBeDisabled();
  await allow.click({ force: true });
  await page.keyboard.press('Enter');
  await page.clock.runFor(399);
  await expect(allow).toBeDisabled();
  await page.clock.runFor(1);
  await expect(allow).toBeEnabled();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(allow).toBeDisabled();
  await approval(page).getByRole('button', { name: 'Deny' }).click();
  await expect(approval(page)).toBeHidden();
});

test('Enter answers only on a button, and a question does not take the focus from typing', async ({
  start,
}) => {
  const { page } = await start();
  await serversReady(page);
  const composer = page.getByRole('textbox', { name: 'Message' });
  await send(page, '/sample add {"a":1,"b":2}');
  await expect(approval(page).getByRole('button', { name: 'Allow once' })).toBeEnabled();
  await expect(composer).toBeFocused();
  await approval(page).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press(' ');
  await expect(approval(page)).toBeVisible();
  await approval(page).getByRole('button', { name: 'Allow once' }).focus();
  await page.keyboard.press('Enter');
  await turnEnds(page);
  await expect(lastAnswer(page)).toContainText('3');
});
