import type { ElectronApplication } from '@playwright/test';
import { inMain } from './inMain.ts';

/** From now on what would reach the system's browser is kept instead of opened; what returns reads it. */
export async function keepOpenedPages(app: ElectronApplication): Promise<() => Promise<string[]>> {
  await inMain(app, ({ shell }) => {
    const opened: string[] = [];
    (globalThis as { opened?: string[] }).opened = opened;
    shell.openExternal = async url => void opened.push(url);
  });
  return () => inMain(app, () => (globalThis as { opened?: string[] }).opened ?? []);
}
