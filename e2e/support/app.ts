import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import {
  _electron,
  type BrowserContext,
  test as base,
  chromium,
  type ElectronApplication,
  expect,
  type Page,
} from '@playwright/test';

const root = resolve(import.meta.dirname, '../..');

export interface StartOptions {
  dataDir: string;
  /** Added to a bare environment; the person's own keys never reach a test. */
  env?: Record<string, string>;
  /** A packaged binary instead of the checkout. */
  executablePath?: string;
}

/** A running Parley. */
export interface RunningApp {
  app: ElectronApplication;
  page: Page;
  /** Quits as a person would and waits for the end of the process. */
  close(): Promise<void>;
  /** Ends the main process as a crash would, with no chance to clean up. */
  crash(): Promise<void>;
}

/** Starts the real app on its own data directory and waits for its window. */
export async function startApp({ dataDir, env = {}, executablePath }: StartOptions): Promise<RunningApp> {
  const args = ['--data', dataDir, ...sandboxArgs()];
  const app = await _electron.launch({
    args: executablePath ? args : [root, ...args],
    ...(executablePath ? { executablePath } : {}),
    env: { ...bareEnvironment(), ...env },
    cwd: root,
  });
  const page = await app.firstWindow();
  page.on('pageerror', error => console.error('Error in the page:', error));
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  const main = app.process();
  return {
    app,
    page,
    close: async () => {
      if (main.exitCode === null && main.signalCode === null) await app.close();
    },
    crash: async () => {
      const exited = once(main, 'exit');
      main.kill('SIGKILL');
      await exited;
    },
  };
}

/**
 * Starts the app without Playwright's own start-up code, which forces Chromium's `basic` password store, and drives
 * its page over the debugging port.
 */
export async function startAppOverDebugPort({
  dataDir,
  env = {},
}: StartOptions): Promise<Pick<RunningApp, 'page' | 'close'>> {
  const binary = createRequire(import.meta.url)('electron') as string;
  const child = spawn(binary, [root, '--data', dataDir, '--remote-debugging-port=0', ...sandboxArgs()], {
    env: { ...bareEnvironment(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const address = await debugAddress(child.stderr);
  await pageIsOpen(address);
  const browser = await chromium.connectOverCDP(address);
  const [context] = browser.contexts();
  const page = context?.pages()[0] ?? (await (context as BrowserContext).waitForEvent('page'));
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  return {
    page,
    async close() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      await browser.close();
    },
  };
}

function debugAddress(stderr: Readable): Promise<string> {
  let text = '';
  return new Promise(resolve => {
    stderr.on('data', chunk => {
      text += String(chunk);
      const address = /DevTools listening on (ws:\S+)/.exec(text)?.[1];
      if (address) resolve(address);
    });
  });
}

/** A debugger that arrives while the window is being made may wait for ever. */
async function pageIsOpen(address: string): Promise<void> {
  const list = new URL('/json/list', address.replace(/^ws/, 'http'));
  await expect
    .poll(async () => ((await (await fetch(list)).json()) as { title: string }[]).map(({ title }) => title), {
      // A key store on a loaded machine may let the app wait as long as a call on the bus may take: 25 seconds.
      timeout: 60_000,
    })
    .toContain('Parley');
}

/** Chromium's own sandbox cannot start as root. */
function sandboxArgs(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

function bareEnvironment(): Record<string, string> {
  const kept = [
    'PATH',
    'HOME',
    'DISPLAY',
    'XAUTHORITY',
    'WAYLAND_DISPLAY',
    'XDG_RUNTIME_DIR',
    'TMPDIR',
    'LANG',
  ];
  const names = [...kept, 'ELECTRON_OVERRIDE_DIST_PATH', 'DBUS_SESSION_BUS_ADDRESS'];
  return Object.fromEntries(names.flatMap(name => (process.env[name] ? [[name, process.env[name]]] : [])));
}

interface Fixtures {
  /** A fresh folder for all that a test leaves, removed afterwards. */
  folder: string;
  /** A fresh data directory in it. */
  dataDir: string;
  /** Starts Parley on `dataDir` (or another); every app still running is closed afterwards. */
  start(options?: Partial<StartOptions>): Promise<RunningApp>;
}

/** Playwright's `test` with a data directory and a way to start the app. */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  dataDir: async ({ folder }, use) => {
    const dir = join(folder, 'data');
    await mkdir(dir);
    await use(dir);
  },
  start: async ({ folder, dataDir }, use) => {
    const running: RunningApp[] = [];
    // Chromium leaves a folder with a socket behind when it is killed.
    const temp = join(folder, 'temp');
    await mkdir(temp);
    await use(async ({ env, ...options } = {}) => {
      const started = await startApp({ dataDir, env: { TMPDIR: temp, ...env }, ...options });
      running.push(started);
      return started;
    });
    for (const started of running) await started.close();
  },
});

export { expect };
