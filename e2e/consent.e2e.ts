import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './support/app.ts';
import { expectAccessible } from './support/axe.ts';
import { approval, approve, lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';
import { ownServer } from './support/host.ts';
import { inMain } from './support/inMain.ts';
import { startMessagesEndpoint } from './support/messagesEndpoint.ts';
import { resize } from './support/window.ts';

/** Kept after the run, to be looked at. */
const folder = resolve(import.meta.dirname, '../test-results/screens');

async function withNosyServer(dataDir: string) {
  const nosy = { command: 'node', args: [ownServer('nosy.mjs')] };
  await writeFile(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { nosy } }));
}

function go(page: Page, screen: 'Rules' | 'Servers') {
  return page.getByRole('button', { name: screen, exact: true }).click();
}

async function auditOf(dataDir: string) {
  const text = await readFile(join(dataDir, 'audit.jsonl'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Record<string, unknown>);
}

test('full auto runs everything, loudly, until it is ended; it is in no new Parley', async ({
  start,
  dataDir,
}) => {
  const first = await start();
  const { page } = first;
  await serversReady(page);
  await page.getByRole('button', { name: 'Run without asking…' }).click();
  await page.getByRole('button', { name: 'Keep asking me' }).click();
  await page.getByRole('button', { name: 'Run without asking…' }).click();
  await page.getByRole('button', { name: 'Run without asking', exact: true }).click();
  const banner = page.getByRole('alert').filter({ hasText: 'Full auto' });
  await expect(banner).toBeVisible();
  await send(page, '/sample add {"a":1,"b":2}');
  await turnEnds(page);
  await expect(lastAnswer(page)).toContainText('3');
  await expect(page.getByRole('img', { name: 'Runs without asking' })).toBeVisible();
  await go(page, 'Rules');
  await expect(page.getByText('everything runs without a question')).toBeVisible();
  await go(page, 'Rules');

  await banner.getByRole('button', { name: 'Ask me again' }).click();
  await expect(banner).toBeHidden();
  await send(page, '/sample add {"a":1,"b":2}');
  await approval(page).getByRole('button', { name: 'Deny' }).click();
  await turnEnds(page);

  await page.getByRole('button', { name: 'Run without asking…' }).click();
  await page.getByRole('button', { name: 'Run without asking', exact: true }).click();
  await expect(banner).toBeVisible();
  await first.close();
  expect(await auditOf(dataDir)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'fullAuto', decision: 'on', by: 'person' }),
      expect.objectContaining({ kind: 'approval', tool: 'add', decision: 'allow', by: 'fullAuto' }),
      expect.objectContaining({ kind: 'approval', tool: 'add', decision: 'deny', by: 'person' }),
    ]),
  );

  const { page: later } = await start();
  await serversReady(later);
  await later.getByRole('navigation', { name: 'Conversations' }).getByRole('button').first().click();
  await expect(later.getByRole('alert').filter({ hasText: 'Full auto' })).toBeHidden();
  await send(later, '/sample add {"a":1,"b":2}');
  await expect(approval(later)).toBeVisible();
});

test('rules are listed with their origin and taken back; the log is exported', async ({ start, dataDir }) => {
  const { app, page } = await start();
  await serversReady(page);
  await go(page, 'Rules');
  await expect(page.getByText('None: every call is asked about.')).toBeVisible();
  await go(page, 'Rules');
  await send(page, '/sample add {"a":1,"b":2}');
  await approval(page).getByRole('button', { name: 'Always allow this tool' }).click();
  await turnEnds(page);
  await send(page, '/sample toggle-extra-tool {}');
  await approval(page).getByRole('button', { name: 'Allow in this conversation' }).click();
  await turnEnds(page);
  await send(page, '/sample toggle-extra-tool {}');
  await turnEnds(page);

  await go(page, 'Rules');
  await expect(page.getByText('when you answered a question')).toBeVisible();
  await page.getByRole('button', { name: 'Revoke: Always allowed: sample add' }).click();
  await page.getByRole('button', { name: /^Revoke: Allowed: sample toggle-extra-tool/ }).click();
  await expect(page.getByText('None: every call is asked about.')).toBeVisible();
  await expect(page.getByRole('heading', { name: /^In one conversation/ })).toBeHidden();

  const target = join(dataDir, 'exported.jsonl');
  await inMain(
    app,
    ({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath });
    },
    target,
  );
  await page.getByRole('button', { name: 'Export…' }).click();
  await expect(page.getByText(/^Saved \d+ entries\.$/)).toBeVisible();
  const lines = (await readFile(target, 'utf8'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ event: 'asked', kind: 'approval', tool: 'add', about: '{"a":1,"b":2}' }),
      expect.objectContaining({ event: 'answered', decision: 'allowAlways', by: 'person' }),
      expect.objectContaining({ event: 'decided', tool: 'toggle-extra-tool', decision: 'allow', by: 'rule' }),
    ]),
  );

  await go(page, 'Rules');
  await send(page, '/sample add {"a":1,"b":2}');
  await approve(page);
  await turnEnds(page);
});

test('a server that asks and asks is one card; all is declined at once, and it is muted and heard again', async ({
  start,
  dataDir,
}) => {
  await withNosyServer(dataDir);
  const { page } = await start();
  await serversReady(page);
  await send(page, '/nosy pester {"count":6}');
  await approve(page);
  const flood = page.getByRole('region', { name: 'Further questions' });
  await expect(flood).toContainText('nosy has 5 more questions for you.');
  await expectAccessible(page);
  await page.screenshot({ path: join(folder, 'consent-flood.png') });
  await flood.getByRole('button', { name: 'Decline all 6' }).click();
  await turnEnds(page);
  await expect(lastAnswer(page)).toContainText('decline decline decline decline decline decline');

  await send(page, '/nosy pester {"count":4}');
  await approve(page);
  await flood.getByRole('button', { name: 'Mute it in this conversation' }).click();
  await turnEnds(page);
  await send(page, '/nosy pester {"count":12}');
  await approve(page);
  await turnEnds(page);
  await expect(lastAnswer(page)).toContainText('decline decline');
  await expect(page.getByRole('region', { name: 'A question for you' })).toBeHidden();

  await go(page, 'Servers');
  await page.getByRole('button', { name: 'Details' }).click();
  const muted = page.getByRole('list', { name: 'Muted' });
  await expect(muted).toContainText('So far: 12.');
  await expectAccessible(page);
  await muted.getByRole('button', { name: /^Unmute/ }).click();
  await expect(muted).toBeHidden();
  await go(page, 'Servers');
  await send(page, '/nosy pester {"count":1}');
  await approve(page);
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await turnEnds(page);
  const audit = await auditOf(dataDir);
  const unseen = audit
    .filter(({ by }) => by === 'muted')
    .reduce((sum, { count = 1 }) => sum + Number(count), 0);
  expect(unseen).toBe(12);
});

for (const theme of ['light', 'dark'] as const) {
  test(`calls of one turn are answered together or one by one; every screen of consent is accessible, ${theme}`, async ({
    start,
    dataDir,
  }) => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ theme }));
    const endpoint = await startMessagesEndpoint();
    try {
      const add = (id: string, a: number) => ({
        type: 'tool_use',
        id,
        name: 'sample__add',
        input: { a, b: 23 },
      });
      endpoint.script.push(
        { blocks: [add('t1', 19), add('t2', 20), add('t3', 21)] },
        { blocks: [{ type: 'text', text: 'Done.' }] },
        { blocks: [add('t4', 1), add('t5', 2)] },
        { blocks: [{ type: 'text', text: 'Done again.' }] },
      );
      const { app, page } = await start({
        env: { ANTHROPIC_API_KEY: 'sk-consent', ANTHROPIC_BASE_URL: endpoint.url },
      });
      const look = async (name: string) => {
        await expectAccessible(page);
        await page.screenshot({ path: join(folder, `${theme}-consent-${name}.png`) });
      };
      await serversReady(page);
      await resize(app, page, 800, 600);
      await send(page, 'add');
      await expect(page.getByText('1 of 3 questions')).toBeVisible();
      await expect(approval(page).getByRole('button', { name: 'Allow once' })).toBeEnabled();
      await look('approval');
      await approval(page).getByRole('button', { name: 'Edit arguments' }).click();
      await look('edit');
      await approval(page).getByRole('button', { name: 'Back' }).click();
      await page.getByRole('button', { name: 'Answer 3 calls together' }).click();
      const group = page.getByRole('region', { name: 'Allow these 3 calls?' });
      await expect(group.getByRole('button', { name: 'Allow all 3 once' })).toBeEnabled();
      await look('together');
      await group.getByRole('button', { name: 'Allow all 3 once' }).click();
      await turnEnds(page);
      await expect(lastAnswer(page)).toContainText('Done.');

      await send(page, 'again');
      await approve(page);
      await expect(page.getByText('1 of 2 questions')).toBeHidden();
      await approval(page).getByRole('button', { name: 'Always allow this tool' }).click();
      await turnEnds(page);
      await expect(lastAnswer(page)).toContainText('Done again.');

      await page.getByRole('button', { name: 'Run without asking…' }).click();
      await look('full-auto-dialog');
      await page.getByRole('button', { name: 'Run without asking', exact: true }).click();
      await expect(page.getByRole('alert').filter({ hasText: 'Full auto' })).toBeVisible();
      await look('full-auto');
      await go(page, 'Rules');
      await expect(page.getByRole('heading', { name: 'Rules' })).toBeVisible();
      await look('rules');
      await go(page, 'Servers');
      await page.getByRole('button', { name: 'Details' }).click();
      await page.getByRole('tab', { name: /^Tools/ }).click();
      await expect(
        page.getByRole('switch', { name: 'Allow tools that say they are read-only' }),
      ).toBeVisible();
      await look('server-tools');
    } finally {
      await endpoint.close();
    }
  });
}
