import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from './support/app.ts';
import { expectAccessible } from './support/axe.ts';
import { lastAnswer, send, serversReady } from './support/chat.ts';
import { startMessagesEndpoint } from './support/messagesEndpoint.ts';
import { resize, shootZoomed, zoomTwice } from './support/window.ts';

const screens = resolve(import.meta.dirname, '../test-results/screens');

test('a conversation has a model, an effort, instructions and tools of its own', async ({ start }) => {
  await mkdir(screens, { recursive: true });
  const endpoint = await startMessagesEndpoint({
    title: '**Pirates at sea.**',
    abilities: { 'claude-haiku-5-5': { efforts: ['low', 'high'] } },
  });
  try {
    endpoint.script.push(
      { blocks: [{ type: 'text', text: 'Ahoy.' }] },
      { blocks: [{ type: 'text', text: 'As usual.' }] },
    );
    const env = { ANTHROPIC_API_KEY: 'sk-own', ANTHROPIC_BASE_URL: endpoint.url };
    const { app, page } = await start({ env });
    await serversReady(page);
    const dialog = page.getByRole('dialog', { name: 'Settings of this conversation' });
    const open = () => page.getByRole('button', { name: 'Settings of this conversation…' }).click();
    await open();
    await dialog.getByRole('combobox', { name: 'Who answers here' }).click();
    await page.getByRole('option', { name: 'Model claude-haiku-5-5' }).click();
    await dialog.getByRole('combobox', { name: 'Effort' }).click();
    await expect(page.getByRole('option', { name: 'Medium' })).toHaveCount(0);
    await page.getByRole('option', { name: 'High', exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Instructions' }).fill('Speak like a pirate.');
    await dialog.getByText(/^\d+ tools$/).click();
    await dialog.getByRole('checkbox', { name: 'Add two numbers' }).uncheck();
    await dialog.getByRole('textbox', { name: 'Temperature' }).fill('7');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByRole('alert')).toContainText('A number from 0 to 1');
    await dialog.getByRole('textbox', { name: 'Temperature' }).fill('0.5');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(screens, `${colorScheme}-conversation-settings.png`) });
      await expectAccessible(page);
    }
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await send(page, 'Who are you?');
    await expect(lastAnswer(page)).toContainText('Ahoy.');
    const { body } = endpoint.requests[0] as (typeof endpoint.requests)[number];
    expect(body).toMatchObject({
      model: 'claude-haiku-5-5',
      temperature: 0.5,
      output_config: { effort: 'high' },
    });
    expect(JSON.stringify(body.system)).toContain('Speak like a pirate.');
    expect(body.tools?.map(({ name }) => name)).not.toContain('sample__add');
    await expect(page.getByRole('combobox', { name: 'Who answers' })).toContainText('claude-haiku-5-5');

    await page.getByRole('button', { name: 'New conversation' }).click();
    await send(page, 'And you?');
    await expect(lastAnswer(page)).toContainText('As usual.');
    // The model names both.
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await expect(list.getByRole('button', { name: 'Pirates at sea', exact: true })).toHaveCount(2);
    expect(endpoint.requests[1]?.body.model).toBe('claude-opus-5-5');
    expect(endpoint.requests[1]?.body.tools?.map(({ name }) => name)).toContain('sample__add');

    await open();
    await resize(app, page, 800, 600);
    await page.screenshot({ path: join(screens, 'conversation-settings-800x600.png') });
    await zoomTwice(app, page);
    await shootZoomed(app, page, join(screens, 'conversation-settings-200-percent.png'));
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wider).toBeLessThanOrEqual(0);
  } finally {
    await endpoint.close();
  }
});
