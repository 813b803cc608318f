import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { expect, test } from './support/app.ts';
import { approve, send, serversReady, turnEnds } from './support/chat.ts';
import { ownServer } from './support/host.ts';
import { inMain } from './support/inMain.ts';
import { resize, shootZoomed, zoomTwice } from './support/window.ts';

const screens = resolve(import.meta.dirname, '../test-results/screens');

for (const theme of ['light', 'dark'] as const) {
  test(`the messages of a server are listed, opened, searched, held and copied, ${theme}`, async ({
    start,
    dataDir,
  }) => {
    await mkdir(screens, { recursive: true });
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ theme }));
    const { app, page } = await start();
    await resize(app, page, 800, 600);
    const shot = (name: string) => page.screenshot({ path: join(screens, `${theme}-traffic-${name}.png`) });
    await serversReady(page);
    await send(page, '/sample count-slowly {"steps": 3, "stepMs": 0}');
    await approve(page);
    await turnEnds(page);
    await openMessages(page, 'sample');
    const list = page.getByRole('list', { name: 'Messages of sample' });
    const lines = list.getByRole('button', { name: /^(sent|received) / });
    await expect(lines.filter({ hasText: 'server/discover' }).first()).toBeVisible();
    const answer = lines.filter({ hasText: 'tools/call' }).last();
    await expect(answer).toHaveText(/tools\/call.*answer #\d+.* ms.*bytes/);

    // By keyboard: one stop in the list, and the newest message first.
    await lines.last().focus();
    await page.keyboard.press('Home');
    await expect(lines.first()).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await expect(lines.nth(-2)).toBeFocused();
    await answer.focus();
    await page.keyboard.press('Enter');
    const opened = list.getByRole('listitem').filter({ has: page.getByText('Counted to 3.') });
    await expect(opened).toContainText('jsonrpc');
    await shot('1-list');
    await opened.getByRole('button', { name: 'Copy this message as JSON' }).click();
    await expect
      .poll(async () => (await copied(app)).message?.result?.content?.[0]?.text)
      .toBe('Counted to 3.');

    await page.getByRole('searchbox', { name: 'Search the messages' }).fill('counted to 2');
    await expect(lines).toHaveCount(1);
    await expect(lines).toContainText('notifications/progress');
    await page.getByRole('button', { name: 'Copy all shown as JSON' }).click();
    await expect.poll(async () => (await copied(app)).length).toBe(1);
    expect((await copied(app))[0]).toMatchObject({ direction: 'received', kind: 'notification' });
    await page.getByRole('searchbox').fill('');
    await choose(page, 'Direction', 'Sent by Parley');
    await choose(page, 'Kind', 'Requests');
    await expect(list.getByRole('button', { name: /^received / })).toHaveCount(0);
    await expect(lines.filter({ hasText: 'tools/call' })).toHaveCount(1);
    await choose(page, 'Kind', 'Notifications');
    await choose(page, 'Direction', 'Sent by the server');
    await expect(lines.filter({ hasText: 'notifications/progress' })).toHaveCount(3);
    await shot('2-filtered');
    await choose(page, 'Kind', 'All kinds');
    await choose(page, 'Direction', 'Both directions');

    await page.getByRole('button', { name: 'Pause' }).click();
    const before = await lines.count();
    await page.getByRole('button', { name: 'Restart' }).click();
    await expect(page.getByText(/^Paused\. [1-9]\d* new\.$/)).toBeVisible();
    await expect(lines).toHaveCount(before);
    await shot('3-paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect(lines).not.toHaveCount(before);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect(page.getByText('No messages yet.')).toBeVisible();
    await zoomTwice(app, page);
    await page.getByRole('button', { name: 'Restart' }).click();
    await lines.first().click();
    await lines.first().scrollIntoViewIfNeeded();
    await shootZoomed(app, page, join(screens, `${theme}-traffic-4-200-percent.png`));
    const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(width).toBeLessThanOrEqual(0);
  });
}

test('secrets are in no message; what cannot be seen is shown; recording stays off once it is', async ({
  start,
  dataDir,
}) => {
  const tools = [{ name: 'echo', description: 'knows top-s3cret\u202e', inputSchema: { type: 'object' } }];
  const env = { API_KEY: 'top-s3cret', TOOLS: JSON.stringify(tools) };
  const raw = { command: process.execPath, args: [ownServer('raw.mjs')], env };
  await writeFile(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { raw } }));
  const { app, page, close } = await start();
  await serversReady(page);
  await openMessages(page, 'raw');
  const lines = page
    .getByRole('list', { name: 'Messages of raw' })
    .getByRole('button', { name: /^(sent|received) / });
  await lines.filter({ hasText: 'tools/list' }).filter({ hasText: 'answer' }).click();
  await expect(page.getByText('knows [hidden]')).toBeVisible();
  await expect(page.getByTitle('A character that cannot be seen')).toBeVisible();
  await page.getByRole('button', { name: 'Copy all shown as JSON' }).click();
  await expect.poll(() => clipboard(app)).toContain('knows [hidden]');
  expect(await clipboard(app)).not.toContain('top-s3cret');

  await page.getByRole('switch', { name: 'Record' }).click();
  await expect
    .poll(async () => JSON.parse(await readFile(join(dataDir, 'settings.json'), 'utf8').catch(() => '{}')))
    .toMatchObject({ recordTraffic: false });
  await page.getByRole('button', { name: 'Clear' }).click();
  await close();

  const again = await start();
  await serversReady(again.page);
  await openMessages(again.page, 'raw');
  await expect(again.page.getByText('Messages are not recorded.')).toBeVisible();
  await again.page.getByRole('switch', { name: 'Record' }).click();
  await again.page.getByRole('button', { name: 'Restart' }).click();
  await expect(again.page.getByRole('list', { name: 'Messages of raw' })).toContainText('tools/list');
});

async function openMessages(page: Page, server: string): Promise<void> {
  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  await page.getByRole('button', { name: server, exact: true }).click();
  await page.getByRole('tab', { name: 'Messages' }).click();
}

async function choose(page: Page, select: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: select }).click();
  await page.getByRole('option', { name: option }).click();
}

function clipboard(app: ElectronApplication): Promise<string> {
  return inMain(app, ({ clipboard }) => clipboard.readText());
}

async function copied(app: ElectronApplication) {
  return JSON.parse((await clipboard(app)) || '{}');
}
