import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from './support/app.ts';
import { inMain } from './support/inMain.ts';

test('the page has no way out: no Node, no eval, no inline script, no other page', async ({ start }) => {
  const { app, page } = await start();
  const before = page.url();
  expect(before).toMatch(/^parley:\/\/app\//);

  const found = await page.evaluate(async () => {
    const blocked: string[] = [];
    document.addEventListener('securitypolicyviolation', event => blocked.push(event.effectiveDirective));
    const evaluate = () => {
      try {
        return new Function('return "ran"')() as string;
      } catch {
        return 'refused';
      }
    };
    const script = document.createElement('script');
    script.textContent = 'window.__pwned = 1';
    document.body.append(script);
    const image = new Image();
    image.src = 'http://127.0.0.1:9/pixel.png';
    const fetched = await fetch('http://127.0.0.1:9/').then(
      () => 'fetched',
      () => 'refused',
    );
    const permission = await navigator.mediaDevices.getUserMedia({ audio: true }).then(
      () => 'granted',
      () => 'refused',
    );
    return {
      globals: ['require', 'process', 'module', 'Buffer', '__pwned'].filter(name => name in window),
      bridge: Object.keys((window as unknown as { parley: object }).parley).sort(),
      evaluated: evaluate(),
      fetched,
      permission,
      opened: window.open('https://example.test/', '_blank') === null ? 'refused' : 'opened',
      blocked,
    };
  });
  expect(found).toMatchObject({
    globals: [],
    bridge: ['on', 'request'],
    evaluated: 'refused',
    fetched: 'refused',
    permission: 'refused',
    opened: 'refused',
  });
  expect(found.blocked).toContain('script-src-elem');

  await page.evaluate(() => {
    location.href = 'https://example.test/';
  });
  await expect.poll(() => page.url()).toBe(before);
  expect(app.windows()).toHaveLength(1);
});

test('files outside the built page cannot be read through the app protocol', async ({ start }) => {
  const { page } = await start();
  const statuses = await page.evaluate(() =>
    Promise.all(
      ['/../package.json', '/%2e%2e/%2e%2e/package.json', '/..%2f..%2fpackage.json', '/nothing.js'].map(
        async path => (await fetch(path)).status,
      ),
    ),
  );
  expect(statuses).toEqual([404, 404, 404, 404]);
});

test('a second start on the same data directory brings the first window to the front and ends', async ({
  start,
  dataDir,
}) => {
  const { app, page } = await start();
  await inMain(app, ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
  const [binary, ...args] = await inMain(app, () => process.argv);
  const second = spawn(binary as string, args, { stdio: 'ignore', env: process.env });
  const [code] = await once(second, 'exit');
  expect(code).toBe(0);
  expect(args).toContain(dataDir);
  await expect
    .poll(() =>
      inMain(app, ({ BrowserWindow }) => BrowserWindow.getAllWindows().map(window => window.isMinimized())),
    )
    .toEqual([false]);
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
});
