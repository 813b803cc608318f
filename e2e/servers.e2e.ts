import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './support/app.ts';
import { expectAccessible } from './support/axe.ts';
import { approve, lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';
import { freePort } from './support/freePort.ts';
import { ownServer, referenceServer } from './support/host.ts';

test('a local server is added by the form, after a look at what will run; its tools are listed and called', async ({
  start,
}) => {
  const { page } = await start();
  await serversReady(page);
  await openServers(page);
  await page.getByRole('button', { name: 'Add server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('everything');
  await dialog.getByRole('textbox', { name: 'Command' }).fill(process.execPath);
  await dialog.getByRole('textbox', { name: 'Arguments' }).fill(`${referenceServer('everything')}\nstdio`);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toContainText(referenceServer('everything'));
  await dialog.getByRole('button', { name: 'Add and start' }).click();
  await serversReady(page, 2);

  const card = page.getByRole('group', { name: 'everything' });
  await expect(card).toContainText('Ready');
  await card.getByRole('button', { name: 'everything' }).click();
  await page.getByRole('tab', { name: 'Tools' }).click();
  await expect(page.getByText('echo', { exact: true }).first()).toBeVisible();

  await openChat(page);
  await send(page, '/everything echo {"message":"hello there"}');
  await approve(page);
  await turnEnds(page);
  await expect(lastAnswer(page)).toContainText('hello there');

  await send(page, '/everything trigger-elicitation-request {}');
  await approve(page);
  const form = page.getByRole('region', { name: 'A question for you' });
  await expect(form).toContainText('everything');
  await form.getByRole('button', { name: 'Decline' }).click();
  await turnEnds(page);
  await expect(lastAnswer(page)).toContainText(/declin/i);
});

test('a remote server is added by its URL and its tool is called', async ({ start }) => {
  const port = await freePort();
  const server = spawn(process.execPath, [referenceServer('everything'), 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    await new Promise<void>(resolve =>
      server.stderr.on('data', text => /listening/i.test(String(text)) && resolve()),
    );
    const { page } = await start();
    await serversReady(page);
    await openServers(page);
    await page.getByRole('button', { name: 'Add server' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('tab', { name: 'By URL' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('remote');
    await dialog.getByRole('textbox', { name: 'URL' }).fill(`http://127.0.0.1:${port}/mcp`);
    await dialog.getByRole('button', { name: 'Add and connect' }).click();
    await serversReady(page, 2);
    await openChat(page);
    await send(page, '/remote get-sum {"a": 19, "b": 23}');
    await approve(page);
    await turnEnds(page);
    await expect(lastAnswer(page)).toContainText('42');

    await openServers(page);
    const card = page.getByRole('group', { name: 'remote' });
    await card.getByRole('button', { name: 'remote', exact: true }).click();
    await expect(page.getByText('it did not answer the question of the modern era')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('combobox', { name: 'Protocol' }).click();
    await page.getByRole('option', { name: /modern/ }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText(/did not answer as one of the modern era/)).toBeVisible();
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('combobox', { name: 'Protocol' }).click();
    await page.getByRole('option', { name: /legacy/ }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Its settings allow only this era.')).toBeVisible();
  } finally {
    server.kill();
    await once(server, 'exit');
  }
});

test('a pasted configuration is understood, one bad address said in words', async ({ start, dataDir }) => {
  const url = `http://127.0.0.1:${await freePort()}/mcp`;
  const { page } = await start();
  await serversReady(page);
  await openServers(page);
  await page.getByRole('button', { name: 'Add server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: 'Paste JSON' }).click();
  await dialog
    .getByRole('textbox')
    .fill(`{ // from a README\n "mcpServers": { "gone": { "type": "http", "url": "${url}" }, } }`);
  await dialog
    .getByRole('button', { name: /Continue|Review|Add/ })
    .last()
    .click();
  const add = dialog.getByRole('button', { name: /^Add and/ });
  if (await add.isVisible()) await add.click();
  const card = page.getByRole('group', { name: 'gone' });
  await expect(card).toContainText('Failed');
  await expect(card).toContainText(/refused/);
  expect(await readFile(join(dataDir, 'servers.json'), 'utf8')).toContain(url);
});

test('a server that dies is shown as failed, and Restart brings it back', async ({ start, dataDir }) => {
  const pidFile = join(dataDir, 'pid');
  await writeFile(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { mortal: mortal(pidFile) } }));
  const { page } = await start();
  await serversReady(page);
  await openServers(page);
  const card = page.getByRole('group', { name: 'mortal' });
  process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGKILL');
  await expect(card).toContainText('Failed');
  await expect(card).toContainText('SIGKILL');
  await card.getByRole('button', { name: 'Restart' }).click();
  await expect(card).toContainText('Ready');
});

test('a server is switched off, on and removed', async ({ start, dataDir }) => {
  const { page } = await start();
  await serversReady(page);
  await openServers(page);
  const card = page.getByRole('group', { name: 'sample' });
  await card.getByRole('switch', { name: 'Use sample' }).click();
  await expect(card).toContainText('Off');
  await card.getByRole('switch', { name: 'Use sample' }).click();
  await expect(card).toContainText('Ready');
  await card.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  // What is behind a dialog counts as hidden.
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(card).toBeHidden();
  expect(JSON.parse(await readFile(join(dataDir, 'servers.json'), 'utf8'))).toEqual({ mcpServers: {} });
});

test('a broken servers.json is reported with its place, left alone, and read again when it is mended', async ({
  start,
  dataDir,
}) => {
  const file = join(dataDir, 'servers.json');
  const broken = '{\n  "mcpServers": {\n    "a": { "command" "node" }\n  }\n}\n';
  await writeFile(file, broken);
  const { page } = await start();
  await openServers(page);
  await expect(page.getByText(/line 3, column/)).toBeVisible();
  expect(await readFile(file, 'utf8')).toBe(broken);
  await writeFile(file, JSON.stringify({ mcpServers: { mended: mortal(join(dataDir, 'pid')) } }));
  await expect(page.getByRole('group', { name: 'mended' })).toContainText('Ready');
  await expect(page.getByText(/line 3, column/)).toBeHidden();
});

function mortal(pidFile: string) {
  return { command: process.execPath, args: [ownServer('raw.mjs')], env: { PIDFILE: pidFile } };
}

async function openServers(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible();
}

async function openChat(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New conversation' }).click();
}
