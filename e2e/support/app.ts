import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron, test as base, type ElectronApplication, expect, type Page } from '@playwright/test';

const root = resolve(import.meta.dirname, '../..');

export interface StartOptions {
  dataDir: string;
  /** Added to a bare environment; the person's own keys never reach a test. */
  env?: Record<string, string>;
  /** A packaged binary instead of the checkout. */
  executablePath?: string;
}

/** A running Parley. `close` quits as a person would and waits for the end of the process. */
export interface RunningApp {
  app: ElectronApplication;
  page: Page;
  close(): Promise<void>;
}

/** Starts the real app on its own data directory and waits for its window. */
export async function startApp({ dataDir, env = {}, executablePath }: StartOptions): Promise<RunningApp> {
  const asRoot = process.getuid?.() === 0;
  const args = ['--data', dataDir, ...(asRoot ? ['--no-sandbox'] : [])];
  const app = await _electron.launch({
    args: executablePath ? args : [root, ...args],
    ...(executablePath ? { executablePath } : {}),
    env: { ...bareEnvironment(), ...env },
    cwd: root,
  });
  const page = await app.firstWindow();
  page.on('pageerror', error => console.error('Error in the page:', error));
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  return { app, page, close: () => app.close() };
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
  /** A fresh data directory, removed afterwards. */
  dataDir: string;
  /** Starts Parley on `dataDir` (or another); every app still running is closed afterwards. */
  start(options?: Partial<StartOptions>): Promise<RunningApp>;
}

/** Playwright's `test` with a data directory and a way to start the app. */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  dataDir: async ({}, use) => {
    const dir = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
    await use(dir);
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  },
  start: async ({ dataDir }, use) => {
    const running: RunningApp[] = [];
    await use(async options => {
      const started = await startApp({ dataDir, ...options });
      running.push(started);
      return started;
    });
    for (const started of running) await started.close();
  },
});

export { expect };
