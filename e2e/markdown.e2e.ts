import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { SELF_SIGNED } from './faults/support/selfSigned.ts';
import { expect, test } from './support/app.ts';
import { expectAccessible } from './support/axe.ts';
import { lastAnswer, send, turnEnds } from './support/chat.ts';
import { inMain } from './support/inMain.ts';
import { gate, messageEnd, messageStart, startMessagesEndpoint, text } from './support/messagesEndpoint.ts';
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
  'Another footnote[^long].\n\n[^1]: The footnote.\n[^long]: The other with $x$.',
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
      await expect(formulas).toHaveCount(10);
      await expect(answer.locator('sup:visible')).toHaveText(['1', '2']);
      await expect(answer.getByRole('list').last().getByRole('listitem')).toHaveText([
        /The footnote\./,
        /The other with/,
      ]);
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

const diagrams = [
  '```mermaid\nflowchart LR\n  accTitle: How a call goes\n  A[Question] --> B{Allowed?}\n  B -->|yes| C[Call]\n  B -->|no| D[Refusal]\n```',
  '```mermaid\nsequenceDiagram\n  Host->>Server: tools/call\n  Server-->>Host: result\n```',
  // It wants to be trusted, to load a picture and to run a script, of which it gets nothing.
  [
    '```mermaid',
    `%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": ".node { fill: url(https://example.org/css) }"}}%%`,
    'flowchart TD',
    '  X["<img src=https://example.org/pixel onerror=alert(1)> hello"] --> Y[there]',
    '  click X "javascript:alert(2)"',
    '```',
  ].join('\n'),
  '```mermaid\nflowchart LR\n  A --\n```',
];

for (const theme of ['light', 'dark'] as const) {
  test(`a formula is set and a diagram drawn once it is complete, harmless, with its source at hand, ${theme}`, async ({
    start,
    dataDir,
  }) => {
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ theme }));
    const endpoint = await startMessagesEndpoint();
    const [math, rest] = [gate(), gate()];
    const [first = '', ...others] = diagrams;
    endpoint.script.push({
      events: [
        messageStart(),
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        delta('$$\n\\frac{1}{2}\n\n'),
        { wait: math.passed },
        delta(`+ x\n$$\n\n${first.slice(0, -3)}`),
        { wait: rest.passed },
        delta(`\`\`\`\n\n${others.join('\n\n')}`),
        { type: 'content_block_stop', index: 0 },
        ...messageEnd('end_turn'),
      ],
    });
    try {
      const { app, page } = await start({
        env: { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: endpoint.url },
      });
      await resize(app, page, 800, 600);
      const asked: string[] = [];
      page.on('request', request => asked.push(request.url()));
      page.on('dialog', dialog => asked.push(dialog.message()));
      await send(page, 'Draw');
      const answer = lastAnswer(page);
      // What is half written stands there as it is written.
      await expect(answer.getByText('\\frac{1}{2}')).toBeVisible();
      await expect(answer.locator('.katex')).toHaveCount(0);
      math.open();
      await expect(answer.locator('.katex-display')).toHaveCount(1);
      await expect(answer.getByText('B -->|no| D[Refusal]')).toBeVisible();
      await expect(answer.getByRole('img')).toHaveCount(0);
      rest.open();
      await turnEnds(page);
      const named = answer.getByRole('img', { name: 'Diagram: How a call goes' });
      await expect(named).toBeVisible();
      await expect(answer.getByRole('img')).toHaveCount(3);
      await expect(answer.getByText('This diagram cannot be drawn')).toBeVisible();
      for (const image of await answer.getByRole('img').all())
        await expect
          .poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth))
          .toBeGreaterThan(0);
      // No part of what the first screen loads.
      expect(asked.filter(url => url.includes('/drawDiagram-'))).toHaveLength(1);
      const outside = asked.filter(url => !/^(parley:\/\/app\/|blob:parley:|data:image)/.test(url));
      expect(outside).toEqual([]);
      await expectAccessible(page);
      await page.screenshot({ path: `test-results/screens/diagrams-end-${theme}.png` });
      await named.scrollIntoViewIfNeeded();
      await page.screenshot({ path: `test-results/screens/diagrams-${theme}.png` });

      const source = answer.getByRole('button', { name: 'Source' }).first();
      await source.press('Enter');
      await expect(answer.getByText('B -->|no| D[Refusal]')).toBeVisible();
      await expectAccessible(page);
      await answer.getByRole('button', { name: 'Source' }).first().press('Enter');
      await expect(named).toBeVisible();
    } finally {
      await endpoint.close();
    }
  });
}

test('what is selected stays selected and is copied while the text grows', async ({ start }) => {
  const endpoint = await startMessagesEndpoint();
  const gates = Array.from({ length: 5 }, gate);
  const parts = [
    'A first paragraph that is finished.\n\nThe second one grows by',
    ' and by, **with',
    ' emphasis** and more.',
    '\n\n```js\nconst one = 1;\nconst two',
    ' = 2;\n```\n\n',
    'And the end.',
  ];
  endpoint.script.push({
    events: [
      messageStart(),
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...parts.flatMap((part, at) => [
        ...(at > 0 ? [{ wait: gates[at - 1]?.passed ?? Promise.resolve() }] : []),
        delta(part),
      ]),
      { type: 'content_block_stop', index: 0 },
      ...messageEnd('end_turn'),
    ],
  });
  try {
    const { app, page } = await start({
      env: { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: endpoint.url },
    });
    await send(page, 'Write');
    const answer = lastAnswer(page);
    /** Selects from the first place of one text to the end of another, as a person has it selected. */
    const select = (from: string, to: string) =>
      answer.evaluate(
        (element, words) => {
          const find = (text: string) => {
            const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
              const at = node.nodeValue?.indexOf(text) ?? -1;
              if (at >= 0) return { node, at };
            }
            throw new Error(`No “${text}”`);
          };
          const [first, last] = [find(words.from), find(words.to)];
          getSelection()?.setBaseAndExtent(first.node, first.at, last.node, last.at + words.to.length);
        },
        { from, to },
      );
    const selected = () => page.evaluate(() => getSelection()?.toString());
    const copied = async () => {
      await page.keyboard.press('ControlOrMeta+C');
      return clipboard(app);
    };
    await answer.getByText('The second one grows by').waitFor();

    await select('first', 'paragraph');
    gates[0]?.open();
    await answer.getByText('by and by').waitFor();
    expect(await selected()).toBe('first paragraph');
    expect(await copied()).toBe('first paragraph');

    // In the paragraph that grows, and beyond what is understood anew in it.
    await select('second', 'and by');
    gates[1]?.open();
    await expect(answer.locator('strong')).toHaveText('with emphasis');
    expect(await selected()).toBe('second one grows by and by');
    await select('one grows', 'emphasis');
    gates[2]?.open();
    await answer.getByText('const two').waitFor();
    expect(await selected()).toBe('one grows by and by, with emphasis');

    // In code that grows, and then gets its colours.
    await select('finished', 'const two');
    gates[3]?.open();
    await expect(answer.locator('.hljs-keyword')).toHaveCount(2);
    expect((await selected())?.replace(/\s+/g, ' ')).toMatch(
      /^finished\. The second .* const one = 1; const two$/,
    );
    await select('const', 'two');
    gates[4]?.open();
    await turnEnds(page);
    expect(await copied()).toBe('const one = 1;\nconst two');
  } finally {
    await endpoint.close();
  }
});

test('a picture from the internet is fetched by consent only, which can be taken back', async ({
  start,
  dataDir,
}) => {
  const asked: IncomingHttpHeaders[] = [];
  const host = createServer(SELF_SIGNED, (request, response) => {
    asked.push(request.headers);
    if (request.url === '/away') response.writeHead(302, { location: 'https://example.org/x.png' }).end();
    else response.writeHead(200, { 'set-cookie': 'a=b' }).end(request.url === '/text.png' ? 'text' : PNG);
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  const { port } = host.address() as AddressInfo;
  const name = `127.0.0.1:${port}`;
  const authority = join(dataDir, 'authority.pem');
  await writeFile(authority, SELF_SIGNED.cert);
  const endpoint = await startMessagesEndpoint();
  const images = ['a.png', 'b.png', 'text.png', 'away'].map(
    path => `![Picture ${path}](https://${name}/${path})`,
  );
  endpoint.script.push({ blocks: [text(`${images.join('\n\n')}\n\n![Plain](http://${name}/plain.png)`)] });
  try {
    const { app, page } = await start({
      env: {
        ANTHROPIC_API_KEY: 'sk-test',
        ANTHROPIC_BASE_URL: endpoint.url,
        NODE_EXTRA_CA_CERTS: authority,
      },
    });
    await resize(app, page, 800, 600);
    await send(page, 'Show');
    await turnEnds(page);
    const answer = lastAnswer(page);
    const show = answer.getByRole('button', { name: 'Show this picture' });
    await expect(show).toHaveCount(4);
    await expect(answer.getByRole('link', { name: 'Plain' })).toBeVisible();
    await expectAccessible(page);
    await page.screenshot({ path: 'test-results/screens/pictures-light.png' });
    expect(asked).toEqual([]);

    await show.first().press('Enter');
    await expect(answer.getByRole('img', { name: 'Picture a.png' })).toBeFocused();
    expect(asked).toHaveLength(1);
    expect(Object.keys(asked[0] ?? {})).not.toContain('referer');
    await show.last().press('Enter');
    await expect(
      answer.getByText(/sends on to example.org, whose pictures you have not allowed/),
    ).toBeVisible();

    await answer
      .getByRole('button', { name: `Always from ${name}` })
      .first()
      .press('Enter');
    await expect(answer.getByRole('img', { name: 'Picture b.png' })).toBeVisible();
    await expect(answer.getByText(/it is no PNG, JPEG, GIF or WebP/)).toBeVisible();
    await expect(answer.getByRole('button', { name: /^Always from/ })).toHaveCount(0);
    expect(asked.some(({ cookie }) => cookie !== undefined)).toBe(false);
    await page.evaluate(() => window.parley.request('settings.update', { theme: 'dark' }));
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expectAccessible(page);
    await page.screenshot({ path: 'test-results/screens/pictures-dark.png' });

    await page.getByRole('button', { name: 'Rules', exact: true }).click();
    const rules = page.getByRole('region', { name: 'Pictures in answers' });
    await expect(rules).toContainText(name);
    await expectAccessible(page);
    await page.screenshot({ path: 'test-results/screens/pictures-rules-dark.png' });
    await rules.getByRole('button', { name: `Revoke: pictures from ${name}` }).click();
    await expect(rules).toContainText('each is asked about where it stands');
    const settings = JSON.parse(await readFile(join(dataDir, 'settings.json'), 'utf8')) as object;
    expect(settings).toMatchObject({ pictureHosts: [] });
  } finally {
    const closed = once(host, 'close');
    host.close();
    host.closeAllConnections();
    await Promise.all([closed, endpoint.close()]);
  }
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function delta(text: string): Record<string, unknown> {
  return { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } };
}

function clipboard(app: ElectronApplication): Promise<string> {
  return inMain(app, ({ clipboard }) => clipboard.readText());
}
