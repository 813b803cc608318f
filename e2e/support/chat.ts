import type { Page } from '@playwright/test';

/** Types a message and sends it with Enter, as a person would. */
export async function send(page: Page, text: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: 'Message' });
  await composer.fill(text);
  await composer.press('Enter');
}

/** Allows the call that is waiting, once it can be clicked. */
export async function approve(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Allow once' }).click();
}
