import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { serveHttp } from '../assets/sample-server/http.ts';
import { expect, test } from './support/app.ts';
import { startAuthServer } from './support/authServer.ts';
import { keepOpenedPages } from './support/openedPages.ts';
import { startProtected } from './support/protectedServer.ts';

/** Kept after the run, to be looked at. */
const folder = resolve(import.meta.dirname, '../test-results/screens');
const SECRET = 'kept-out-of-the-file-7';

test('a secret that an entry refers to is asked for, goes to that server, and is kept only as the person said', async ({
  start,
  dataDir,
}) => {
  const sample = await serveHttp(0);
  const server = await startListening(sample.url);
  const { seen } = server;
  try {
    await writeServers(dataDir, {
      keyed: { type: 'http', url: server.url, headers: { Authorization: 'Bearer ${secret:TOKEN}' } },
    });
    const first = await start();
    await openServers(first.page);
    const ask = first.page.getByRole('region', { name: 'Enter the secret “TOKEN”' });
    await expect(ask).toContainText('keyed');
    await expect(ask).toContainText('the header Authorization');
    expect([...seen]).toEqual([]);
    await screens(first.page, 'secret');

    await ask.getByRole('button', { name: 'Cancel' }).click();
    const card = first.page.getByRole('group', { name: 'keyed' });
    await expect(card).toContainText('Failed');
    await expect(card).toContainText('The secret “TOKEN”');
    await expect(card).toContainText('Press Restart and enter it');
    expect([...seen]).toEqual([]);
    await screens(first.page, 'secret-cancelled');

    await card.getByRole('button', { name: 'Restart' }).click();
    await ask.getByLabel('Secret').fill(SECRET);
    await ask.getByRole('checkbox', { name: /^Keep it/ }).check();
    await ask.getByRole('button', { name: 'Store it' }).click();
    await expect(card).toContainText('Ready');
    expect([...seen]).toEqual([`Bearer ${SECRET}`]);
    await expectUnseen(first.page);
    expect(await readFile(join(dataDir, 'servers.json'), 'utf8')).not.toContain(SECRET);
    await first.close();

    const second = await start();
    await openServers(second.page);
    const again = second.page.getByRole('group', { name: 'keyed' });
    await expect(again).toContainText('Ready');
    await again.getByRole('button', { name: 'Enter secrets anew' }).click();
    await expect(second.page.getByRole('region', { name: 'Enter the secret “TOKEN”' })).toBeVisible();
    expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).not.toContain(SECRET);
  } finally {
    await server.close();
    await sample.close();
  }
});

test('a sign-in that the person does not want opens nothing and can be begun again', async ({
  start,
  dataDir,
}) => {
  const sample = await serveHttp(0);
  const idp = await startAuthServer();
  const guard = await startProtected(sample.url, idp);
  try {
    await writeServers(dataDir, { guarded: { type: 'http', url: guard.url } });
    const { app, page } = await start();
    const opened = await keepOpenedPages(app);
    await openServers(page);
    const card = page.getByRole('group', { name: 'guarded' });
    const signIn = card.getByRole('button', { name: 'Sign in', exact: true });
    const ask = page.getByRole('region', { name: 'Sign in?' });

    await signIn.click();
    await ask.getByRole('button', { name: 'Not now' }).click();
    await expect(ask).toBeHidden();
    expect(await opened()).toEqual([]);
    await expect(card).toContainText('Sign-in needed');

    await signIn.click();
    await ask.getByRole('button', { name: 'Open the sign-in page' }).click();
    const waiting = page.getByRole('region', { name: /^Finish signing in/ });
    await waiting.getByRole('button', { name: 'Open the page again' }).click();
    await expect.poll(opened).toHaveLength(2);
    await waiting.getByRole('button', { name: 'Cancel' }).click();
    await expect(waiting).toBeHidden();
    await expect(card).toContainText('Sign-in needed');
    await expect(signIn).toBeEnabled();
    await expect(page.getByRole('button', { name: 'Servers', exact: true })).toHaveText(
      /0 ready, 1 to sign in$/,
    );
    await screens(page, 'sign-in-cancelled');
    expect(idp.requests).not.toContain('POST /token');
  } finally {
    await guard.close();
    await idp.close();
    await sample.close();
  }
});

test('the authorization of a remote server is shown and edited in its form, and nothing else of the entry changes', async ({
  start,
  dataDir,
}) => {
  const entry = {
    type: 'http',
    url: 'http://127.0.0.1:9/mcp',
    headers: { 'X-Key': '${env:SOME_KEY}', 'X-Old': SECRET },
    auth: {
      clientId: 'parley',
      clientSecret: SECRET,
      issuer: 'https://login.example.com',
      redirectPort: 4321,
      ownKey: 1,
    },
    roots: ['/projects'],
    disabled: true,
    timeoutMs: 5000,
    autoApprove: ['x'],
  };
  await writeServers(dataDir, { far: entry });
  const { page } = await start();
  await openServers(page);
  await page.getByRole('group', { name: 'far' }).getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Value of X-Key')).toHaveValue('${env:SOME_KEY}');
  await expect(dialog.getByLabel('Value of X-Key')).toHaveAttribute('type', 'text');
  await expect(dialog).toContainText('https://login.example.com');
  await dialog.getByRole('textbox', { name: 'Client ID' }).fill('');
  await dialog.getByRole('textbox', { name: 'Client ID' }).scrollIntoViewIfNeeded();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter the client ID that the secret belongs to.')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Client ID' })).toBeFocused();
  await screens(page, 'authorization-form');

  await page.keyboard.type('by-hand');
  await dialog.getByRole('button', { name: 'Replace the value of the client secret' }).click();
  await expect(dialog.getByLabel('Client secret')).toBeFocused();
  await page.keyboard.type('${secret:CLIENT}');
  await expect(dialog.getByLabel('Client secret')).toHaveAttribute('type', 'text');
  await dialog.getByRole('textbox', { name: 'Scope' }).fill('read write');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  const saved = JSON.parse(await readFile(join(dataDir, 'servers.json'), 'utf8')).mcpServers.far;
  const { auth } = entry;
  expect(saved).toEqual({
    ...entry,
    auth: { ...auth, clientId: 'by-hand', clientSecret: '${secret:CLIENT}', scope: 'read write' },
  });
  await expectUnseen(page);

  await page.getByRole('button', { name: 'Add server' }).click();
  await dialog.getByRole('tab', { name: 'Paste JSON' }).click();
  const pasted = { ...entry, autoApprove: undefined, headers: {}, auth: { ...auth, ownKey: undefined } };
  await dialog.getByRole('textbox').fill(JSON.stringify({ mcpServers: { pasted } }));
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toContainText('You sign in in your browser.');
  await expect(dialog).toContainText(`${SECRET.length} characters, not shown`);
  await expect(dialog).toContainText('Stays switched off');
  await screens(page, 'authorization-review');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toBeHidden();
  const { pasted: added } = JSON.parse(await readFile(join(dataDir, 'servers.json'), 'utf8')).mcpServers;
  const { headers: _none, ...rest } = JSON.parse(JSON.stringify(pasted));
  expect(added).toEqual(rest);
});

/** Passes everything on, and remembers what it was shown. */
async function startListening(upstream: string) {
  const seen = new Set<string | undefined>();
  const http = createServer((request, response) => {
    const { authorization, host: _host, ...headers } = request.headers;
    seen.add(authorization);
    const onward = sendRequest(upstream, { method: request.method, headers }, incoming => {
      response.writeHead(incoming.statusCode ?? 502, incoming.headers);
      incoming.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    seen,
    async close() {
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

async function writeServers(dataDir: string, mcpServers: object): Promise<void> {
  await writeFile(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers }));
}

async function openServers(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Servers', exact: true }).click();
}

/** Neither the document nor anything the host tells the renderer holds the secret. */
async function expectUnseen(page: Page): Promise<void> {
  expect(await page.content()).not.toContain(SECRET);
  const snapshot = await page.evaluate(() =>
    (window as unknown as { parley: { request(name: string): Promise<unknown> } }).parley.request('snapshot'),
  );
  expect(JSON.stringify(snapshot)).not.toContain(SECRET);
}

/** Light and dark, as large as it opens and as small as it can be. */
async function screens(page: Page, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const size = await page.evaluate(() => ({ width: window.innerWidth, height: window.innerHeight }));
  await page.emulateMedia({ colorScheme: 'light' });
  await page.screenshot({ path: join(folder, `${name}-light.png`) });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 800, height: 600 });
  await page.screenshot({ path: join(folder, `${name}-dark-800x600.png`) });
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(size);
}
