import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from './support/app.ts';
import { lastAnswer, send, turnEnds } from './support/chat.ts';
import { gate, messageEnd, messageStart, startMessagesEndpoint } from './support/messagesEndpoint.ts';

const packagesOf: Record<string, string[]> = JSON.parse(
  readFileSync(new URL('../dist/renderer/packages.json', import.meta.url), 'utf8'),
);

test('code has no colours where it grows, and gets them when it rests or is complete', async ({ start }) => {
  const endpoint = await startMessagesEndpoint();
  const [rested, done] = [gate(), gate()];
  endpoint.script.push({
    events: [
      messageStart(),
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      delta('```ts\nconst first = 1;\n'),
      { wait: rested.passed },
      delta('const second = 2;\n'),
      { wait: done.passed },
      delta(
        '```\n\nAnd as an item:\n\n- one\n  ```python\n  def two(): return 2\n  ```\n\n```klingon\nqapla\n```\n',
      ),
      { type: 'content_block_stop', index: 0 },
      ...messageEnd('end_turn'),
    ],
  });
  try {
    const { page } = await start({
      env: { ANTHROPIC_API_KEY: 'sk-code', ANTHROPIC_BASE_URL: endpoint.url },
    });
    await send(page, 'Write code');
    const block = (at: number) => lastAnswer(page).locator('pre code').nth(at);
    const keywords = (at: number) => block(at).locator('.hljs-keyword');
    await expect(keywords(0)).toHaveText(['const']);
    expect(page.workers()).toHaveLength(1);
    expect(await growthByColours(page)).toEqual([0]);
    rested.open();
    // What is new is there at once, behind what has its colours already.
    await expect(block(0)).toHaveText('const first = 1;\nconst second = 2;\n');
    done.open();
    await turnEnds(page);
    await expect(keywords(0)).toHaveText(['const', 'const']);
    await expect(keywords(1)).toHaveText(['def', 'return']);
    await expect(block(2)).toHaveText('qapla');
    await expect(block(2).locator('span')).toHaveCount(0);
    expect(await growthByColours(page)).toEqual([0, 0, 0]);
  } finally {
    await endpoint.close();
  }
});

test('the window loads no highlighter, math or diagrams before there is something to show with them', async ({
  start,
}) => {
  const { page } = await start();
  const scripts: string[] = [];
  page.on('request', request => {
    const [, file] = /^parley:\/\/app\/(.*\.js)$/.exec(request.url()) ?? [];
    if (file) scripts.push(file);
  });
  await page.reload();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  const packages = () => scripts.flatMap(script => packagesOf[script] ?? [`unknown ${script}`]);
  // Until what the first screen does not need is there too.
  await expect.poll(packages).toContain('react-markdown');
  expect(packages()).toContain('react-dom');
  expect(
    packages().filter(name => /unknown|highlight|lowlight|katex|math|mermaid|d3|dagre/.test(name)),
  ).toEqual([]);
  expect(page.workers()).toEqual([]);
});

function delta(text: string): Record<string, unknown> {
  return { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } };
}

/** How much higher each block is with its colours than without. */
function growthByColours(page: Page): Promise<number[]> {
  return lastAnswer(page)
    .locator('pre')
    .evaluateAll(blocks =>
      blocks.map(block => {
        const plain = block.cloneNode(true) as HTMLElement;
        plain.querySelector('code')?.replaceChildren(block.textContent);
        block.after(plain);
        const growth = block.getBoundingClientRect().height - plain.getBoundingClientRect().height;
        plain.remove();
        return growth;
      }),
    );
}
