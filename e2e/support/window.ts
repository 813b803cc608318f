import { writeFile } from 'node:fs/promises';
import { type ElectronApplication, expect, type Page } from '@playwright/test';
import { inMain } from './inMain.ts';

/** Gives the window's content a size in CSS pixels at 100 %, and waits until the page has it. */
export async function resize(
  app: ElectronApplication,
  page: Page,
  width: number,
  height: number,
): Promise<void> {
  await inMain(
    app,
    ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
    { width, height },
  );
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(width);
}

/** Zooms the page to twice its size, as a person does who cannot read it. */
export async function zoomTwice(app: ElectronApplication, page: Page): Promise<void> {
  const before = await page.evaluate(() => window.innerWidth);
  await inMain(app, ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(2));
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(Math.floor(before / 2));
}

/** A screenshot of a zoomed page: Playwright's own knows nothing of the zoom and shows a corner. */
export async function shootZoomed(app: ElectronApplication, page: Page, path: string): Promise<void> {
  // Until the zoomed page has been painted.
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
  const zoomed = await inMain(app, async ({ BrowserWindow }) => {
    const image = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage();
    return image?.toPNG().toString('base64') ?? '';
  });
  await writeFile(path, Buffer.from(zoomed, 'base64'));
}
