import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from './support/app.ts';
import { expectAccessible } from './support/axe.ts';
import { approve, lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';
import { ownServer } from './support/host.ts';
import { startMessagesEndpoint, text, toolUse } from './support/messagesEndpoint.ts';
import { resize } from './support/window.ts';

const screens = resolve(import.meta.dirname, '../test-results/screens');
const tools = Array.from({ length: 150 }, (_, at) => ({
  name: `task_${at}`,
  description: `Does the task number ${at}. ${'It does it well. '.repeat(20)}`,
  inputSchema: { type: 'object' },
}));

test('the model searches many tools, and one that does not answer is asked about on its card', async ({
  start,
  dataDir,
}) => {
  await mkdir(screens, { recursive: true });
  const slow = {
    command: process.execPath,
    args: [ownServer('raw.mjs')],
    env: { TOOLS: JSON.stringify(tools), SILENT: 'tools/call' },
    timeoutMs: 2500,
  };
  await writeFile(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { slow } }));
  const endpoint = await startMessagesEndpoint({ title: 'Tasks' });
  try {
    endpoint.script.push(
      { blocks: [toolUse('t1', 'find_tools', { query: 'task number 77' })] },
      { blocks: [toolUse('t2', 'slow__task_77', {})] },
      { blocks: [text('It did not answer.')] },
    );
    const env = { ANTHROPIC_API_KEY: 'sk-own', ANTHROPIC_BASE_URL: endpoint.url };
    const { app, page } = await start({ env });
    await serversReady(page);
    await resize(app, page, 800, 600);
    await send(page, 'Do task 77');
    await approve(page);
    const question = page.getByRole('group', { name: 'Keep waiting?' });
    await expect(question).toContainText('slow has not answered for 3 s. Keep waiting?');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(screens, `${colorScheme}-keep-waiting.png`) });
      await expectAccessible(page);
    }
    await question.getByRole('button', { name: 'Keep waiting' }).click();
    await expect(question).toBeHidden();
    await question.getByRole('button', { name: 'Stop' }).click();
    await turnEnds(page);
    await expect(lastAnswer(page)).toContainText('It did not answer.');

    await page.getByRole('button', { name: /^Context: / }).click();
    const panel = page.getByRole('dialog', { name: 'Context' });
    await expect(panel).toContainText(/\d of 150 tools loaded; the model searches the others\./);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(screens, `${colorScheme}-tool-search.png`) });
      await expectAccessible(page);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Model', exact: true }).click();
    await page.getByRole('combobox', { name: 'The model searches the tools' }).click();
    await page.getByRole('option', { name: 'Never: it is given all of them' }).click();
    await page.getByRole('combobox', { name: 'The model searches the tools' }).scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(screens, 'dark-tool-search-setting.png') });
    await expectAccessible(page);
  } finally {
    await endpoint.close();
  }
});
