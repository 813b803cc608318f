import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from './support/app.ts';
import { expectAccessible } from './support/axe.ts';
import { approve, lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';
import { ownServer } from './support/host.ts';
import { startMessagesEndpoint, text, toolUse } from './support/messagesEndpoint.ts';
import { resize } from './support/window.ts';

/** Kept after the run, to be looked at. */
const folder = resolve(import.meta.dirname, '../test-results/context');

for (const theme of ['light', 'dark'] as const) {
  test(`how full the window is, what the model saw, and a summary that is taken back, ${theme}`, async ({
    start,
    dataDir,
  }) => {
    await mkdir(folder, { recursive: true });
    const lines = Array.from({ length: 3000 }, (_, line) => `row ${line} of the report`).join('\n');
    const RESULT = JSON.stringify({ content: [{ type: 'text', text: lines }] });
    const mcpServers = { raw: { command: 'node', args: [ownServer('raw.mjs')], env: { RESULT } } };
    await writeFile(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers }));
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ theme }));
    const abilities = { 'claude-opus-5-5': { window: 100_000 } };
    const endpoint = await startMessagesEndpoint({ abilities, counts: true });
    try {
      endpoint.script.push(
        { blocks: [toolUse('t1', 'raw__echo', {})] },
        { blocks: [text('The report has 3000 rows.')] },
        { blocks: [text('The person asked for a report of **3000 rows**.')] },
        { blocks: [text('After the summary.')] },
      );
      const { app, page } = await start({
        env: { ANTHROPIC_API_KEY: 'sk-context', ANTHROPIC_BASE_URL: endpoint.url },
      });
      const shot = (name: string) => page.screenshot({ path: join(folder, `${theme}-${name}.png`) });
      await serversReady(page);
      await send(page, 'Read the report');
      await approve(page);
      await turnEnds(page);
      await expect(lastAnswer(page)).toContainText('The report has 3000 rows.');

      await page.getByRole('button', { name: /raw.*echo.*done/ }).click();
      const saw = page.getByRole('region', { name: 'What the model saw' });
      await expect(saw).toContainText(`of ${lines.length.toLocaleString('en')} characters`);
      await saw.getByRole('button', { name: 'What the model saw' }).click();
      await expect(saw).toContainText('row 0 of the report');
      await shot('1-model-saw');
      await page.getByRole('button', { name: /raw.*echo.*done/ }).click();

      const meter = page.getByRole('button', { name: /^Context: \d+ % of the window$/ });
      await meter.focus();
      await page.keyboard.press('Enter');
      const panel = page.getByRole('dialog', { name: 'Context' });
      await expect(panel).toContainText('as the endpoint counts them');
      await expect(panel).toContainText('Tools of raw');
      await expect(panel.getByRole('table', { name: 'Usage' })).toContainText(/Cost\$\d/);
      await shot('2-meter');
      await expectAccessible(page);
      await resize(app, page, 800, 600);
      await shot('3-meter-800x600');
      await panel.getByRole('button', { name: 'Summarise earlier messages' }).click();
      const summary = page.getByRole('note').filter({ hasText: 'Earlier messages were summarised' });
      await expect(summary).toBeVisible();
      await summary.getByText('Show the summary').click();
      await expect(summary).toContainText('a report of 3000 rows');
      await shot('4-summary-800x600');
      await expectAccessible(page);
      await expect(page.getByRole('article', { name: 'You' })).toContainText('Read the report');

      await send(page, 'Go on');
      await expect(lastAnswer(page)).toContainText('After the summary.');
      const sent = () => JSON.stringify(endpoint.requests.at(-1)?.body.messages);
      expect(sent()).toContain('3000 rows');
      expect(sent()).not.toContain('row 17 of the report');
      await summary.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByText('The summary of earlier messages is not used')).toBeVisible();
      endpoint.script.push({ blocks: [text('All of it again.')] });
      await send(page, 'And now');
      await expect(lastAnswer(page)).toContainText('All of it again.');
      expect(sent()).toContain('row 17 of the report');
      expect(endpoint.requests.map(({ violation }) => violation).filter(Boolean)).toEqual([]);

      await resize(app, page, 1180, 800);
      await page.getByRole('button', { name: 'Model', exact: true }).click();
      await page.getByRole('button', { name: 'Set a price' }).click();
      await page.getByRole('textbox', { name: 'Input of claude-opus-5-5' }).fill('100');
      await page.getByText('Anthropic’s list prices').click();
      await shot('5-prices');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Save prices' }).click();
      await expect(page.getByText('Saved.')).toBeVisible();
    } finally {
      await endpoint.close();
    }
  });
}
