import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from './support/app.ts';
import { approve, lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';
import { referenceServer } from './support/host.ts';
import { startMessagesEndpoint } from './support/messagesEndpoint.ts';
import { resize } from './support/window.ts';

const screens = resolve(import.meta.dirname, '../test-results/screens');

for (const theme of ['light', 'dark'] as const) {
  test(`a server’s prompt is seen, changed and agreed to, and so is the answer, ${theme}`, async ({
    start,
    dataDir,
  }) => {
    await mkdir(screens, { recursive: true });
    const args = [referenceServer('everything'), 'stdio'];
    const servers = { mcpServers: { everything: { command: process.execPath, args } } };
    await writeFile(join(dataDir, 'servers.json'), JSON.stringify(servers));
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ theme }));
    const endpoint = await startMessagesEndpoint();
    try {
      const input = { prompt: 'What is the capital of France?', maxTokens: 120 };
      endpoint.script.push(
        { blocks: [{ type: 'tool_use', id: 't1', name: 'everything__trigger-sampling-request', input }] },
        { blocks: [{ type: 'text', text: 'The capital of France is Lyon.' }] },
        { blocks: [{ type: 'text', text: 'The server has its answer.' }] },
      );
      const { app, page } = await start({
        env: { ANTHROPIC_API_KEY: 'sk-sampling', ANTHROPIC_BASE_URL: endpoint.url },
      });
      const shot = (name: string) => page.screenshot({ path: join(screens, `${theme}-${name}.png`) });
      await serversReady(page);
      await send(page, 'Let the server ask');
      await approve(page);

      const prompt = page.getByRole('region', { name: 'May it ask the language model this?' });
      await expect(prompt).toContainText('everything');
      await expect(prompt.getByRole('button', { name: 'Send to the model' })).toBeEnabled();
      await shot('sampling-1-prompt');
      const message = prompt.getByRole('textbox', { name: 'To the model' });
      await expect(message).toHaveValue(/capital of France/);
      await message.fill('Name the capital of France.');
      const limit = prompt.getByRole('textbox', { name: 'Longest answer, in tokens' });
      await limit.fill('500');
      await expect(prompt.getByRole('button', { name: 'Send to the model' })).toBeDisabled();
      await limit.fill('40');
      await resize(app, page, 800, 600);
      await shot('sampling-2-changed-800x600');
      expect(endpoint.requests).toHaveLength(1);
      await prompt.getByRole('button', { name: 'Send to the model' }).click();

      const answer = page.getByRole('region', { name: 'May it have this answer?' });
      const words = answer.getByRole('textbox', { name: /^Written by claude/ });
      await expect(words).toHaveValue('The capital of France is Lyon.');
      await shot('sampling-3-answer-800x600');
      expect(endpoint.requests[1]?.body).toMatchObject({
        max_tokens: 40,
        messages: [{ content: [{ text: 'Name the capital of France.' }] }],
      });
      await words.fill('The capital of France is Paris.');
      await answer.getByRole('button', { name: 'Give it to the server' }).click();
      await turnEnds(page);
      await expect(lastAnswer(page)).toContainText('The server has its answer.');
      expect(JSON.stringify(endpoint.requests[2]?.body)).toContain('The capital of France is Paris.');
      expect(JSON.stringify(endpoint.requests[2]?.body)).not.toContain('Lyon');
    } finally {
      await endpoint.close();
    }
  });
}
