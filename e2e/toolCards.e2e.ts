import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './support/app.ts';
import { expectAccessible } from './support/axe.ts';
import { approval, lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';
import { ownServer } from './support/host.ts';
import { inMain } from './support/inMain.ts';
import { writeResults } from './support/longConversation.ts';
import { startMessagesEndpoint, text, toolUse } from './support/messagesEndpoint.ts';
import { resize, shootZoomed, zoomTwice } from './support/window.ts';

const cities = Array.from({ length: 120 }, (_, at) => ({
  city: `City ${at}`,
  people: at * 1000,
  big: at > 60,
}));
const results = {
  data: {
    content: [
      { type: 'text', text: JSON.stringify({ cities, year: 2026 }) },
      { type: 'text', text: `The first words. ${'And on. '.repeat(400)}The last words.` },
    ],
    structuredContent: { cities, year: 2026 },
  },
  media: {
    content: [
      { type: 'audio', data: silence(), mimeType: 'audio/wav' },
      {
        type: 'resource',
        resource: { uri: 'notes:///a%20note.md', mimeType: 'text/markdown', text: '# A note' },
      },
      { type: 'resource_link', uri: 'notes:///other', name: 'other', title: 'The other note' },
      { type: 'hologram', of: 'a cat' },
    ],
  },
  broken: { content: [{ type: 'text', text: 'There is no such city.' }], isError: true },
};
const TOOLS = JSON.stringify([{ name: 'ask', inputSchema: { type: 'object' } }]);

/** A tenth of a second of nothing, as a WAV file. */
function silence(): string {
  const wav = Buffer.alloc(44 + 800, 128);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + 800, 4);
  wav.write('WAVEfmt ', 8);
  for (const [at, value] of [
    [16, 16],
    [20, 1 + 65_536],
    [24, 8000],
    [28, 8000],
    [32, 1 + 8 * 65_536],
  ] as const)
    wav.writeUInt32LE(value, at);
  wav.write('data', 36);
  wav.writeUInt32LE(800, 40);
  return wav.toString('base64');
}

async function offerServers(dataDir: string): Promise<void> {
  const servers = Object.entries(results).map(([name, result]) => {
    const env = { TOOLS, RESULT: JSON.stringify(result), LOG: '1' };
    return [name, { command: process.execPath, args: [ownServer('raw.mjs')], env }];
  });
  const sample = { command: 'parley-sample-server' };
  const mcpServers = { ...Object.fromEntries(servers), sample };
  await writeFile(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers }));
}

const card = (page: Page, name: RegExp) => page.getByRole('log').getByRole('button', { name });

for (const theme of ['light', 'dark'] as const) {
  test(`results are read by their kind, and several calls as a group, ${theme}`, async ({
    start,
    dataDir,
  }) => {
    await offerServers(dataDir);
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ theme }));
    const endpoint = await startMessagesEndpoint();
    try {
      endpoint.script.push(
        {
          blocks: ['data', 'media', 'broken'].map(server => toolUse(server, `${server}__ask`, {})),
        },
        { blocks: [text('That is all.')] },
      );
      const { app, page } = await start({
        env: { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: endpoint.url },
      });
      const shot = (name: string) =>
        page.screenshot({ path: `test-results/screens/cards-${name}-${theme}.png` });
      await resize(app, page, 800, 600);
      await serversReady(page, 4);
      await send(page, 'go');
      const group = page.getByRole('button', { name: /^3 calls/ });
      await expect(group).toContainText('3 wait for you');
      for (let call = 0; call < 3; call++)
        await approval(page).getByRole('button', { name: 'Allow once' }).click();
      await turnEnds(page);
      // Closed, it shows what failed and nothing else.
      await expect(group).toHaveText('3 calls, 1 failed');
      await expect(card(page, /broken.*ask/)).toBeVisible();
      await expect(card(page, /data.*ask/)).toHaveCount(0);
      await expectAccessible(page);
      await shot('group');

      await group.press('Enter');
      await card(page, /data.*ask/).press('Enter');
      const result = page.getByRole('region', { name: 'Structured result' });
      await expect(result.getByRole('row')).toHaveCount(51);
      await expect(result).toContainText('2026');
      // What the text repeats is not shown twice.
      await expect(page.getByRole('tablist', { name: 'Show the result as' })).toHaveCount(1);
      await result.getByRole('button', { name: /70 of 120 rows are hidden/ }).click();
      await expect(result.getByRole('row')).toHaveCount(121);
      await expect(page.getByRole('region', { name: 'What the server wrote meanwhile' })).toContainText(
        'tools/call',
      );
      await expectAccessible(page);
      await shot('table');

      // The views are reached from the keyboard, and the choice is kept when the card is closed.
      await result.getByRole('tab', { name: 'Table' }).press('ArrowRight');
      await expect(result.getByRole('tab', { name: 'Tree' })).toHaveAttribute('aria-selected', 'true');
      await expect(result.getByText('City 3', { exact: true })).toBeVisible();
      await card(page, /data.*ask/).press('Enter');
      await expect(result).toHaveCount(0);
      await card(page, /data.*ask/).press('Enter');
      await expect(result.getByRole('tab', { name: 'Tree' })).toHaveAttribute('aria-selected', 'true');
      const log = page.getByRole('log');
      await expect(log).not.toContainText('The last words.');
      await log.getByRole('button', { name: /characters are hidden/ }).click();
      await expect(log).toContainText('The last words.');
      await card(page, /data.*ask/).press('Enter');

      await card(page, /media.*ask/).press('Enter');
      await expect(log.locator('audio')).toBeVisible();
      await expect(log).toContainText('Content of a kind that Parley does not know: hologram');
      const file = join(dataDir, 'saved.md');
      await inMain(
        app,
        ({ dialog }, filePath) => {
          dialog.showSaveDialog = async (...given: unknown[]) => {
            const { defaultPath } = given.at(-1) as { defaultPath: string };
            return { canceled: defaultPath !== 'a note.md', filePath };
          };
        },
        file,
      );
      await log
        .getByRole('region', { name: /^Resource/ })
        .getByRole('button', { name: 'Save…' })
        .click();
      await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toBe('# A note');
      await expectAccessible(page);
      await log.locator('audio').scrollIntoViewIfNeeded();
      await shot('media');
      await log.getByRole('button', { name: 'Read', exact: true }).click();
      const reader = page.getByRole('dialog', { name: 'The other note' });
      // This server offers no resources at all: that is said.
      await expect(reader.getByRole('alert')).toBeVisible();
      await page.keyboard.press('Escape');
      await zoomTwice(app, page);
      await group.scrollIntoViewIfNeeded();
      await shootZoomed(app, page, `test-results/screens/cards-zoomed-${theme}.png`);
    } finally {
      await endpoint.close();
    }
  });
}

test('a call that takes its time says how far it is and for how long, and can be stopped by itself', async ({
  start,
  dataDir,
}) => {
  await offerServers(dataDir);
  const endpoint = await startMessagesEndpoint();
  try {
    endpoint.script.push(
      { blocks: [toolUse('t1', 'sample__count-slowly', { steps: 2, stepMs: 60_000 })] },
      { blocks: [toolUse('t2', 'sample__count-slowly', { steps: 1000, stepMs: 100 })] },
      { blocks: [text('Enough.')] },
    );
    const { page } = await start({
      env: { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: endpoint.url },
    });
    await serversReady(page, 4);
    await page.clock.install();
    await send(page, 'count');
    await approval(page).getByRole('button', { name: 'Allow once' }).click();
    const stop = page.getByRole('button', { name: 'Stop this call' });
    await expect(card(page, /Count slowly.*running/)).toBeVisible();
    await page.clock.runFor(20_000);
    await expect(page.getByText(/^\d+ s; nothing heard for \d+ s$/)).toBeVisible();
    await page.screenshot({ path: 'test-results/screens/cards-quiet.png' });
    await stop.click();
    await expect(card(page, /Count slowly.*stopped/)).toBeVisible();

    await approval(page).getByRole('button', { name: 'Allow once' }).click();
    await expect(page.getByText(/^Counted to \d+ of 1000$/)).toBeVisible();
    await expect(page.getByRole('progressbar', { name: 'Progress' })).toBeVisible();
    await page.screenshot({ path: 'test-results/screens/cards-progress.png' });
    await expectAccessible(page);
    await stop.click();
    await page.clock.runFor(1000);
    await turnEnds(page);
    await expect(lastAnswer(page)).toContainText('Enough.');
  } finally {
    await endpoint.close();
  }
});

test('a large result opens by its beginning and is read on, whole where that is affordable (BC-14)', async ({
  start,
  dataDir,
}) => {
  const rows = Array.from({ length: 9000 }, (_, id) => ({ id, name: `Row ${id}`, even: id % 2 === 0 }));
  writeResults(dataDir, 'Large', {
    data: { content: [{ type: 'text', text: JSON.stringify(rows) }] },
    log: { content: [{ type: 'text', text: `${'A line of the log.\n'.repeat(400_000)}The very end.` }] },
  });
  const { app, page } = await start();
  await page.getByRole('navigation').getByRole('button', { name: 'Large', exact: true }).click();
  await card(page, /data/).click();
  await expect(page.getByRole('table')).toContainText('Row 3');
  await expect(page.getByText('7.2 MB')).toBeHidden();
  await card(page, /log/).click();
  await expect(page.getByText(/only the beginning of each part is shown/)).toBeVisible();
  const text = page.locator('pre').filter({ hasText: 'A line of the log' });
  const length = async () => (await text.textContent())?.length ?? 0;
  const before = await length();
  await page.getByRole('button', { name: /^Show 50,000 more/ }).click();
  await expect.poll(length).toBe(before + 50_000);
  await expect(page.getByRole('button', { name: /characters are left/ })).toBeVisible();
  await expectAccessible(page);
  await page.screenshot({ path: 'test-results/screens/large-result.png' });

  const saved = join(dataDir, 'saved.txt');
  await inMain(
    app,
    ({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath });
    },
    saved,
  );
  await page.getByRole('button', { name: 'Save…' }).click();
  await expect
    .poll(async () => (await readFile(saved, 'utf8').catch(() => '')).slice(-13))
    .toBe('The very end.');

  await page.getByRole('button', { name: 'Show all of it' }).click();
  await expect(page.getByText(/only the beginning of each part is shown/)).toBeHidden();
  await expect(text).toBeVisible();
});
