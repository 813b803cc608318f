import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from './support/app.ts';
import { approval, approve, lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';
import { startMessagesEndpoint } from './support/messagesEndpoint.ts';
import { resize, shootZoomed, zoomTwice } from './support/window.ts';

/** Kept after the run, to be looked at. */
const folder = resolve(import.meta.dirname, '../test-results/screens');

const answer = [
  'The sum is **42**. Here is how:',
  '',
  '```js\nconst sum = (a, b) => a + b; // 19 + 23\nconsole.log(sum(19, 23));\n```',
  '',
  '| number | square |\n| --- | --- |\n| 19 | 361 |\n| 23 | 529 |',
  '',
  '- [x] added\n- [ ] doubted',
].join('\n');

for (const theme of ['light', 'dark'] as const) {
  test(`every screen, ${theme}`, async ({ start, dataDir }) => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ theme }));
    const endpoint = await startMessagesEndpoint();
    try {
      endpoint.script.push(
        {
          blocks: [
            { type: 'text', text: 'I will add them.' },
            { type: 'tool_use', id: 't1', name: 'sample__add', input: { a: 19, b: 23 } },
            { type: 'tool_use', id: 't2', name: 'sample__draw-chart', input: { values: [3, 8, 5, 13] } },
          ],
        },
        { blocks: [{ type: 'text', text: answer }] },
        { blocks: [{ type: 'tool_use', id: 't3', name: 'sample__book-table', input: {} }] },
      );
      const { app, page } = await start({
        env: { ANTHROPIC_API_KEY: 'sk-screens', ANTHROPIC_BASE_URL: endpoint.url },
      });
      const shot = (name: string) => page.screenshot({ path: join(folder, `${theme}-${name}.png`) });
      await serversReady(page);
      await expect(page.getByRole('list', { name: 'Examples' })).toBeVisible();
      await shot('1-welcome');

      await send(page, 'Add 19 and 23, and draw a chart of 3, 8, 5 and 13');
      await expect(approval(page)).toBeVisible();
      await expect(approval(page).getByRole('button', { name: 'Allow once' })).toBeEnabled();
      await shot('2-approval');
      await approve(page);
      await approve(page);
      await turnEnds(page);
      await expect(lastAnswer(page)).toContainText('The sum is 42');
      await expect(page.locator('.hljs-keyword').first()).toBeVisible();
      await shot('3-answer');
      await page.getByRole('button', { name: /sample.*Add two numbers/ }).click();
      await shot('4-call');

      await send(page, 'Book a table');
      await approve(page);
      const question = page.getByRole('region', { name: 'A question for you' });
      await expect(question.getByRole('button', { name: 'Send answer' })).toBeEnabled();
      // Whoever has just written is at the end, wherever they were before.
      await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeHidden();
      await shot('5-question');
      await resize(app, page, 800, 600);
      await shot('6-question-800x600');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await resize(app, page, 1180, 800);

      await page.getByRole('button', { name: 'Servers', exact: true }).click();
      await shot('7-servers');
      await page.getByRole('button', { name: 'Details' }).click();
      await expect(page.getByRole('heading', { name: /^Instructions/ })).toBeVisible();
      await shot('7-server-overview');
      await page.getByRole('tab', { name: 'Tools' }).click();
      await expect(page.getByText('add', { exact: true }).first()).toBeVisible();
      await shot('7-server-tools');
      await page.getByRole('button', { name: 'All servers' }).click();
      await page.getByRole('button', { name: 'Add server' }).click();
      await shot('8-add-server');
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: 'Model', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'API key' })).toBeVisible();
      await shot('9-model');
      await resize(app, page, 800, 600);
      await zoomTwice(app, page);
      await shootZoomed(app, page, join(folder, `${theme}-10-model-200-percent.png`));
      expect((await readFile(join(folder, `${theme}-9-model.png`))).length).toBeGreaterThan(10_000);
    } finally {
      await endpoint.close();
    }
  });
}
