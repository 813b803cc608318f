import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveHttp } from '../assets/sample-server/http.ts';
import { expect, test } from './support/app.ts';
import { startAuthServer } from './support/authServer.ts';
import { keepOpenedPages } from './support/openedPages.ts';
import { startProtected } from './support/protectedServer.ts';
import { finishSignIn } from './support/signInBrowser.ts';

test('a protected server is used after the person saw where they sign in, and until they sign out', async ({
  start,
  dataDir,
}) => {
  const sample = await serveHttp(0);
  const idp = await startAuthServer();
  const guard = await startProtected(sample.url, idp);
  try {
    const servers = { mcpServers: { guarded: { type: 'http', url: guard.url } } };
    await writeFile(join(dataDir, 'servers.json'), JSON.stringify(servers));
    const { app, page } = await start();
    const opened = await keepOpenedPages(app);
    await page.getByRole('button', { name: 'Servers', exact: true }).click();
    const server = page.getByRole('group', { name: 'guarded' });
    await expect(server).toContainText('wants you to be signed in');
    await expect(server).toContainText('Sign-in needed');
    await page.screenshot({ path: 'test-results/screens/sign-in-needed.png' });

    await server.getByRole('button', { name: 'Sign in', exact: true }).click();
    const ask = page.getByRole('region', { name: 'Sign in?' });
    await expect(ask).toContainText(guard.url);
    await expect(ask).toContainText(idp.host);
    expect(await opened()).toEqual([]);
    await page.screenshot({ path: 'test-results/screens/sign-in.png' });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 800, height: 600 });
    await page.screenshot({ path: 'test-results/screens/sign-in-dark.png' });
    await ask.getByRole('button', { name: 'Open the sign-in page' }).click();
    await expect.poll(opened).toHaveLength(1);
    await expect(page.getByRole('region', { name: /^Finish signing in/ })).toBeVisible();
    await page.screenshot({ path: 'test-results/screens/sign-in-waiting.png' });
    const [url = ''] = await opened();
    expect((await finishSignIn(url)).status).toBe(200);
    await expect(server).toContainText('signed in');
    await expect(server).toContainText('Ready');

    await server.getByRole('button', { name: 'Sign out' }).click();
    await expect(server).toContainText('wants you to be signed in');
    expect(idp.requests).toContain('POST /token/revocation');
  } finally {
    await guard.close();
    await idp.close();
    await sample.close();
  }
});
