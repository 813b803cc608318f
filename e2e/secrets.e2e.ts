import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, startAppOverDebugPort, test } from './support/app.ts';
import { startKeyring } from './support/keyring.ts';

const KEY = 'sk-test-0123456789-secret';

test('without a key store the key stays in memory unless plain text is accepted', async ({
  start,
  dataDir,
}) => {
  const first = await start();
  await openModelScreen(first.page);
  await first.page.getByRole('textbox', { name: 'API key', exact: true }).fill(KEY);
  await first.page.getByRole('radio', { name: /this session only/i }).check();
  await first.page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(first.page.getByText('A key is kept until Parley closes.')).toBeVisible();
  expect(await secretsFile(dataDir)).toBe('');
  await first.close();

  const second = await start();
  await openModelScreen(second.page);
  await expect(second.page.getByText('There is no key.')).toBeVisible();
  await second.page.getByRole('textbox', { name: 'API key', exact: true }).fill(KEY);
  await second.page.getByRole('radio', { name: /unencrypted/i }).check();
  await second.page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(second.page.getByText('without encryption, as you chose')).toBeVisible();
  expect(await secretsFile(dataDir)).toContain(KEY);
  await expectNoSecretInPage(second.page);
});

test('with a key store the key rests encrypted and is there after a restart', async ({ dataDir }) => {
  const keyring = await startKeyring();
  try {
    const options = { dataDir, env: keyring.env };
    const first = await startAppOverDebugPort(options);
    await openModelScreen(first.page);
    await first.page.getByRole('textbox', { name: 'API key', exact: true }).fill(KEY);
    await first.page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(first.page.getByText('A key is stored on this computer, encrypted.')).toBeVisible();
    const stored = await secretsFile(dataDir);
    expect(stored).toContain('"encrypted"');
    expect(stored).not.toContain(KEY);
    await first.close();

    const second = await startAppOverDebugPort(options);
    await openModelScreen(second.page);
    await expect(second.page.getByText('A key is stored on this computer, encrypted.')).toBeVisible();
    await expectNoSecretInPage(second.page);
    await second.close();
  } finally {
    await keyring.stop();
  }
});

async function openModelScreen(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Model', exact: true }).click();
}

async function secretsFile(dataDir: string): Promise<string> {
  return readFile(join(dataDir, 'secrets.json'), 'utf8').catch(() => '');
}

/** Neither the document nor anything the host tells the renderer holds the key. */
async function expectNoSecretInPage(page: Page): Promise<void> {
  expect(await page.content()).not.toContain(KEY);
  const snapshot = await page.evaluate(() =>
    (window as unknown as { parley: { request(name: string): Promise<unknown> } }).parley.request('snapshot'),
  );
  expect(JSON.stringify(snapshot)).not.toContain(KEY);
}
