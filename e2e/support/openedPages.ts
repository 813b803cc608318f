import type { ElectronApplication } from '@playwright/test';

/** From now on what would reach the system's browser is kept instead of opened; what returns reads it. */
export async function keepOpenedPages(app: ElectronApplication): Promise<() => Promise<string[]>> {
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    (globalThis as { opened?: string[] }).opened = opened;
    shell.openExternal = async url => void opened.push(url);
  });
  return () => app.evaluate(() => (globalThis as { opened?: string[] }).opened ?? []);
}
