import { expect, type Locator, type Page } from '@playwright/test';

/** Waits until this many servers are ready. */
export async function serversReady(page: Page, count = 1): Promise<void> {
  await expect(page.getByRole('button', { name: 'Servers', exact: true })).toContainText(`${count} ready`);
}

/** Types a message and sends it with Enter, as a person would. */
export async function send(page: Page, text: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  await composer.fill(text);
  await composer.press('Enter');
}

/** The question whether a call may run. */
export function approval(page: Page): Locator {
  return page.getByRole('region', { name: /^Allow “/ });
}

/** Allows the call that is waiting, once it can be clicked. */
export async function approve(page: Page): Promise<void> {
  await approval(page).getByRole('button', { name: 'Allow once' }).click();
}

/** The last answer, whoever gave it. */
export function lastAnswer(page: Page): Locator {
  return page.getByRole('article', { name: /^(Guide|Assistant)$/ }).last();
}

/** Waits until no turn runs. */
export async function turnEnds(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
}
