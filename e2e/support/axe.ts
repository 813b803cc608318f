import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What a checker of accessibility finds wrong on the screen as it is now: nothing, or the test says what and where. */
export async function expectAccessible(page: Page): Promise<void> {
  // Electron has no second page to finish the analysis on.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const found = violations.map(({ id, nodes }) => ({
    id,
    where: nodes.map(({ target }) => target.join(' ')),
  }));
  expect(found).toEqual([]);
}
