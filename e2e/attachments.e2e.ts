import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { Canvas } from '../assets/sample-server/png.ts';
import { expect, test } from './support/app.ts';
import { expectAccessible } from './support/axe.ts';
import { lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';
import { startMessagesEndpoint } from './support/messagesEndpoint.ts';
import { resize } from './support/window.ts';

const screens = resolve(import.meta.dirname, '../test-results/screens');
const gif = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

for (const theme of ['light', 'dark'] as const) {
  test(`files of every kind are attached, looked at, sent and shown, ${theme}`, async ({
    start,
    dataDir,
  }) => {
    await mkdir(screens, { recursive: true });
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ theme }));
    const endpoint = await startMessagesEndpoint();
    try {
      endpoint.script.push({ blocks: [{ type: 'text', text: 'I have seen them.' }] });
      const { app, page } = await start({
        env: { ANTHROPIC_API_KEY: 'sk-files', ANTHROPIC_BASE_URL: endpoint.url },
      });
      await resize(app, page, 800, 600);
      await serversReady(page);
      await page.getByLabel('Files to attach').setInputFiles([
        { name: 'dot.png', mimeType: 'image/png', buffer: gif },
        { name: 'paper.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') },
        { name: 'notes\u202egpj.md', mimeType: 'text/markdown', buffer: Buffer.from('# Milk\r\nand more') },
        { name: 'box.zip', mimeType: 'application/zip', buffer: Buffer.from('504b0304ff00fe', 'hex') },
      ]);
      const attached = page.getByRole('list', { name: 'Attached' });
      await expect(attached.getByRole('listitem')).toHaveCount(3);
      await expect(page.getByRole('alert')).toContainText('“box.zip” is of a kind that no model reads.');
      await attached.getByRole('button', { name: /^notes/ }).click();
      await expect(page.getByRole('dialog')).toContainText('# Milk');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
      await page.screenshot({ path: join(screens, `${theme}-attachments-1.png`) });
      await expectAccessible(page);

      await send(page, 'what do you see?');
      await expect(lastAnswer(page)).toContainText('I have seen them.');
      await expect(attached).toBeHidden();
      const own = page.getByRole('article', { name: 'You' });
      await own.getByRole('button', { name: /dot\.png/ }).click();
      await expect(page.getByRole('dialog').getByRole('img', { name: 'dot.png' })).toBeVisible();
      await page.screenshot({ path: join(screens, `${theme}-attachments-2.png`) });
      await page.keyboard.press('Escape');
      await page.screenshot({ path: join(screens, `${theme}-attachments-3.png`) });
      await expectAccessible(page);
      expect(endpoint.requests.map(({ violation }) => violation)).toEqual([undefined]);
      const content = endpoint.requests[0]?.body.messages[0]?.content as { type: string; text?: string }[];
      expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'text', 'document', 'text', 'text']);
      expect(content[4]?.text).toContain('# Milk\nand more');
    } finally {
      await endpoint.close();
    }
  });
}

test('a picture that is larger than a model sees is made smaller and keeps its name', async ({ start }) => {
  const endpoint = await startMessagesEndpoint();
  try {
    endpoint.script.push({ blocks: [{ type: 'text', text: 'I have seen it.' }] });
    const { page } = await start({
      env: { ANTHROPIC_API_KEY: 'sk-files', ANTHROPIC_BASE_URL: endpoint.url },
    });
    await serversReady(page);
    const canvas = new Canvas(9000, 600, [255, 255, 255]);
    canvas.fill(0, 0, 4500, 600, [20, 120, 90]);
    await page
      .getByLabel('Files to attach')
      .setInputFiles([{ name: 'wide.png', mimeType: 'image/png', buffer: canvas.toPng() }]);
    await expect(page.getByRole('list', { name: 'Attached' })).toContainText('wide.png');
    await send(page, 'what do you see?');
    await expect(lastAnswer(page)).toContainText('I have seen it.');
    expect(endpoint.requests.map(({ violation }) => violation)).toEqual([undefined]);
    const content = endpoint.requests[0]?.body.messages[0]?.content as { source?: { data: string } }[];
    const png = Buffer.from(content[1]?.source?.data ?? '', 'base64');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1568, 105]);
  } finally {
    await endpoint.close();
  }
});

test('a long text that is pasted becomes an attachment, is taken back, and outlasts a restart', async ({
  start,
}) => {
  const first = await start();
  await serversReady(first.page);
  const composer = first.page.getByRole('textbox', { name: 'Message' });
  await composer.fill('before');
  const attached = first.page.getByRole('list', { name: 'Attached' });
  await paste(first.page, 'line\r\n'.repeat(100_000));
  await expect(attached).toContainText('Pasted text500.0 kB');
  await expect(composer).toHaveValue('before');
  await composer.press('Control+z');
  await expect(attached).toBeHidden();
  await paste(first.page, 'short\r\n'.repeat(400));
  await attached.getByRole('button', { name: /^Pasted text/ }).click();
  await first.page.getByRole('button', { name: 'Put into the text' }).click();
  await expect(composer).toHaveValue(`before${'short\n'.repeat(400)}`);
  await expect(first.page.getByRole('button', { name: 'Send' })).toBeInViewport();
  await composer.fill('');
  await paste(first.page, 'kept\n'.repeat(400));
  await first.page.waitForFunction(async () => {
    const reply = await window.parley.request('drafts.get', {});
    return reply.ok && reply.value.attachments.length === 1;
  });
  await first.close();

  const { page } = await start();
  await serversReady(page);
  await expect(page.getByRole('list', { name: 'Attached' })).toContainText('Pasted text2.0 kB');
  await page.getByRole('button', { name: 'Remove Pasted text' }).click();
  await expect(page.getByRole('list', { name: 'Attached' })).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await dropFile(page, 'drop.txt', 'dropped');
  await expect(page.getByRole('list', { name: 'Attached' })).toContainText('drop.txt');
  await send(page, 'help');
  await turnEnds(page);
  await expect(lastAnswer(page)).toContainText('I cannot read what you attached');
});

/** As the browser tells of a paste. */
async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).evaluate((field, value) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', value);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

async function dropFile(page: Page, name: string, content: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.evaluate(
    (element, file) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([file.content], file.name));
      element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    { name, content },
  );
}

for (const theme of ['light', 'dark'] as const) {
  test(`an @ finds resources and templates of the servers; what is picked goes along with its source, ${theme}`, async ({
    start,
    dataDir,
  }) => {
    await mkdir(screens, { recursive: true });
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ theme }));
    const endpoint = await startMessagesEndpoint();
    try {
      endpoint.script.push({ blocks: [{ type: 'text', text: 'Porridge it is.' }] });
      const { app, page } = await start({
        env: { ANTHROPIC_API_KEY: 'sk-files', ANTHROPIC_BASE_URL: endpoint.url },
      });
      await resize(app, page, 800, 600);
      await serversReady(page);
      const composer = page.getByRole('textbox', { name: 'Message' });
      await composer.pressSequentially('what is in @');
      const list = page.getByRole('listbox', { name: 'Resources' });
      await expect(list.getByRole('option', { name: /About this server/ })).toBeVisible();
      await page.screenshot({ path: join(screens, `${theme}-mention-1.png`) });
      await expectAccessible(page);
      await composer.press('Escape');
      await expect(list).toBeHidden();
      await composer.press('Backspace');
      await composer.pressSequentially('@about');
      await expect(list.getByRole('option')).toHaveCount(1);
      await composer.press('Enter');
      const attached = page.getByRole('list', { name: 'Attached' });
      await expect(attached).toContainText('About this server');
      await expect(composer).toHaveValue('what is in ');

      await composer.pressSequentially('@recipe');
      await expect(list.getByRole('option', { name: /sample:\/\/recipes\/\{name\}/ })).toBeVisible();
      await list.getByRole('option', { name: /sample:\/\/recipes\/\{name\}/ }).click();
      await page.getByRole('combobox', { name: 'name' }).fill('porridge');
      await page.getByRole('combobox', { name: 'name' }).press('Enter');
      await expect(page.getByRole('dialog')).toContainText('Simmer 50 g oats');
      await page.screenshot({ path: join(screens, `${theme}-mention-2.png`) });
      await page.getByRole('button', { name: 'Attach', exact: true }).click();
      await expect(attached.getByRole('listitem')).toHaveCount(2);
      await composer.press('Enter');
      await expect(lastAnswer(page)).toContainText('Porridge it is.');
      expect(endpoint.requests.map(({ violation }) => violation)).toEqual([undefined]);
      expect(JSON.stringify(endpoint.requests[0]?.body.messages)).toMatch(
        /resource sample:\/\/about of the server “sample”.*resource sample:\/\/recipes\/porridge of the server “sample”.*Simmer/,
      );
      await page
        .getByRole('article', { name: 'You' })
        .getByRole('button', { name: /Recipe/ })
        .click();
      await expect(page.getByRole('dialog')).toContainText('From sample: sample://recipes/porridge');
    } finally {
      await endpoint.close();
    }
  });
}
