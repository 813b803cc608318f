import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { expect, test } from './support/app.ts';
import { expectAccessible } from './support/axe.ts';
import { lastAnswer, send, turnEnds } from './support/chat.ts';
import { inMain } from './support/inMain.ts';
import { startMessagesEndpoint, text } from './support/messagesEndpoint.ts';
import { resize } from './support/window.ts';

const reading = [
  '## What a model may write',
  'A task list, a table and a footnote[^1]; raw <b>HTML</b> stays text.',
  '- [x] done\n- [ ] to do\n  - [ ] inner',
  '| Name | Formula | Price |\n| :-- | :-: | --: |\n| circle | $\\pi r^2$ | $5 |\n| square | $a^2$ | $10 |',
  'Inline \\(e^{i\\pi} + 1 = 0\\) and $\\left(\\frac{a}{b}\\right)^2$, but it costs $5 and $10.',
  '1. In an item:\n   $$\n   \\begin{aligned}\n   (a+b)^2 &= a^2 + 2ab + b^2\n   \\end{aligned}\n   $$\n2. And so on.',
  '\\[\nA = \\begin{pmatrix} 1 & 2 \\\\[2pt] 3 & 4 \\end{pmatrix}\n\n, \\quad \\int_0^\\infty e^{-x^2} dx = \\frac{\\sqrt\\pi}{2}\n\\]',
  'Not readable: $\\frac{a}$, and nothing to click: $\\href{https://example.org}{x}$',
  `A long one: $$${Array.from({ length: 40 }, (_, at) => `x_{${at}}`).join(' + ')}$$`,
  '> A quote with $x$.',
  '[^1]: The footnote.',
].join('\n\n');

for (const theme of ['light', 'dark'] as const) {
  test(`tables, task lists, footnotes and formulas are shown, prices and HTML stay text, ${theme}`, async ({
    start,
    dataDir,
  }) => {
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ theme }));
    const endpoint = await startMessagesEndpoint();
    try {
      endpoint.script.push({ blocks: [text(reading)] });
      const { app, page } = await start({
        env: { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: endpoint.url },
      });
      await resize(app, page, 800, 600);
      await send(page, 'Write');
      await turnEnds(page);
      const answer = lastAnswer(page);
      const formulas = answer.locator('[data-formula]');
      await expect(formulas).toHaveCount(9);
      await expect(answer.getByText('it costs $5 and $10.')).toBeVisible();
      await expect(answer.getByText('raw <b>HTML</b> stays text')).toBeVisible();
      await expect(answer.getByText('$\\frac{a}$')).toBeVisible();
      await expect(answer.locator('.katex a')).toHaveCount(0);
      await expect(answer.getByRole('checkbox', { name: '' })).toHaveCount(3);
      await expectAccessible(page);
      await page.screenshot({ path: `test-results/screens/markdown-end-${theme}.png` });
      await answer.getByRole('heading', { name: 'What a model may write' }).scrollIntoViewIfNeeded();
      await page.screenshot({ path: `test-results/screens/markdown-${theme}.png` });

      // What is copied is what was written, whole formulas also where only a part of one is selected.
      await page.evaluate(() => {
        const [first, second] = [
          ...document.querySelectorAll('[data-formula^="\\\\(e"], [data-formula^="$\\\\left"]'),
        ];
        const inside = second?.querySelector('.katex-html .mord')?.firstChild;
        if (first?.previousSibling && inside)
          getSelection()?.setBaseAndExtent(first.previousSibling, 0, inside, 0);
        document.execCommand('copy');
      });
      expect(await clipboard(app)).toBe('Inline \\(e^{i\\pi} + 1 = 0\\) and $\\left(\\frac{a}{b}\\right)^2$');
    } finally {
      await endpoint.close();
    }
  });
}

function clipboard(app: ElectronApplication): Promise<string> {
  return inMain(app, ({ clipboard }) => clipboard.readText());
}
