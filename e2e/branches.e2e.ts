import { expect, test } from './support/app.ts';
import { expectAccessible } from './support/axe.ts';
import { lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';
import { tabTo } from './support/keyboard.ts';
import { gate, startMessagesEndpoint, text } from './support/messagesEndpoint.ts';
import { resize, shootZoomed, zoomTwice } from './support/window.ts';

const screens = 'test-results/screens';

test('versions of questions and answers are written and switched, a message is deleted, a conversation forked', async ({
  start,
}) => {
  const endpoint = await startMessagesEndpoint();
  try {
    for (const answer of [
      'Rye rests long.',
      'Rye rests for a day.',
      'Wheat is quicker.',
      'Cut off',
      'at the end.',
    ])
      endpoint.script.push(
        answer === 'Cut off'
          ? { blocks: [text(answer)], stopReason: 'max_tokens' }
          : { blocks: [text(answer)] },
      );
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: endpoint.url };
    const { app, page } = await start({ env });
    await resize(app, page, 800, 600);
    await serversReady(page);
    const articles = page.getByRole('article');
    const own = page.getByRole('article', { name: 'You' });
    const composer = page.getByRole('textbox', { name: 'Message', exact: true });
    await page.getByLabel('Files to attach').setInputFiles({
      name: 'flour.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Type 1150'),
    });
    await expect(page.getByRole('button', { name: 'Remove flour.txt' })).toBeVisible();
    await send(page, 'How long does rye rest?');
    await turnEnds(page);

    // By keyboard alone: up from the composer, a letter for the action, the arrows for the versions.
    await composer.focus();
    await tabTo(page, lastAnswer(page).getByRole('button', { name: 'Regenerate answer' }), 'Shift+Tab');
    await page.keyboard.press('r');
    await expect(lastAnswer(page)).toContainText('Rye rests for a day.');
    await turnEnds(page);
    await expect(composer).toBeFocused();
    expect(endpoint.requests[1]?.body).toEqual(endpoint.requests[0]?.body);
    const versions = lastAnswer(page).getByRole('group', { name: /^Version \d of \d$/ });
    await expect(versions).toHaveText('2 / 2');
    await versions.getByRole('button', { name: 'Previous version' }).press('Enter');
    await expect(lastAnswer(page)).toContainText('Rye rests long.');
    await expect(versions).toHaveText('1 / 2');
    await expect(versions.getByRole('button', { name: 'Next version' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(lastAnswer(page)).toContainText('Rye rests for a day.');

    await expect(page.getByRole('button', { name: 'Jump to latest' })).toHaveCount(0);
    await own.hover();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
      await page.screenshot({ path: `${screens}/branches-${colorScheme}.png` });
    }
    await own.getByRole('button', { name: 'Edit message' }).click();
    const edit = page.getByRole('textbox', { name: 'Edit message' });
    await expect(edit).toBeFocused();
    await edit.fill('How long does wheat rest?');
    await own.getByRole('button', { name: 'Remove flour.txt' }).click();
    await expect(edit).toBeFocused();
    await expectAccessible(page);
    await page.screenshot({ path: `${screens}/branches-edit-dark.png` });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.screenshot({ path: `${screens}/branches-edit-light.png` });
    await edit.press('Enter');
    await turnEnds(page);
    await expect(articles).toHaveCount(2);
    await expect(lastAnswer(page)).toContainText('Wheat is quicker.');
    await expect(own.getByRole('group', { name: /^Version \d of \d$/ })).toHaveText('2 / 2');
    expect(endpoint.requests.map(({ body }) => JSON.stringify(body).includes('Type 1150'))).toEqual([
      true,
      true,
      false,
    ]);

    // What was found may be on a branch that is not shown.
    const search = page.getByRole('textbox', { name: 'Search conversations' });
    await search.fill('rests long');
    await page.getByRole('button', { name: 'Answer: Rye rests long.' }).click();
    await expect(lastAnswer(page)).toHaveText(/^Rye rests long\.1 \/ 2$/);
    await expect(lastAnswer(page)).toBeFocused();
    await search.fill('');
    await own.getByRole('button', { name: 'Next version' }).click();
    await expect(lastAnswer(page)).toContainText('Wheat is quicker.');

    await send(page, 'And then?');
    await expect(page.getByText('cut off at the token limit')).toBeVisible();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(lastAnswer(page)).toContainText('at the end.');
    await turnEnds(page);
    expect(endpoint.requests.map(({ violation }) => violation)).toEqual(
      endpoint.requests.map(() => undefined),
    );

    await own.last().getByRole('button', { name: 'Copy message' }).click();
    await composer.press('ControlOrMeta+V');
    await expect(composer).toHaveValue('And then?');
    await composer.fill('');
    await own.last().getByRole('button', { name: 'Delete from here' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete from here?' });
    await expectAccessible(page);
    await page.screenshot({ path: `${screens}/branches-delete.png` });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(articles).toHaveCount(2);
    await expect(composer).toBeFocused();

    await lastAnswer(page).getByRole('button', { name: 'Fork from here' }).click();
    const conversations = page.getByRole('navigation', { name: 'Conversations' });
    await expect(conversations.locator('li').first()).toContainText('How long does rye rest? (fork)');
    await expect(articles).toHaveCount(2);
    await expect(own.getByText('How long does wheat rest?')).toBeVisible();
    await expect(page.getByRole('group', { name: /^Version \d of \d$/ })).toHaveCount(0);
    await zoomTwice(app, page);
    await shootZoomed(app, page, `${screens}/branches-zoomed.png`);
  } finally {
    await endpoint.close();
  }
});

test('what is sent while a turn runs waits above the composer and is sent, changed, or held after Stop', async ({
  start,
}) => {
  const endpoint = await startMessagesEndpoint();
  const [first, second] = [gate(), gate()];
  try {
    endpoint.script.push(
      { blocks: [text('One'), { wait: first.passed }] },
      { blocks: [text('Two'), { wait: second.passed }] },
      { blocks: [text('and on.')] },
      { blocks: [text('Three.')] },
      { blocks: [text('Last.')] },
    );
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: endpoint.url };
    const { app, page, close } = await start({ env });
    await resize(app, page, 800, 600);
    await serversReady(page);
    const composer = page.getByRole('textbox', { name: 'Message', exact: true });
    const queue = page.getByRole('region', { name: 'Queue' });
    const rows = queue.getByRole('listitem');
    await send(page, 'one');
    await expect(lastAnswer(page)).toContainText('One');
    for (const message of ['two', 'three', 'four', 'five']) await send(page, message);
    await expect(rows).toHaveText(['two', 'three', 'four', 'five']);

    await rows.nth(3).getByRole('button', { name: 'Send earlier' }).click();
    await expect(rows).toHaveText(['two', 'three', 'five', 'four']);
    await rows.nth(2).getByRole('button', { name: 'Remove waiting message' }).click();
    await expect(composer).toBeFocused();
    await composer.press('ArrowUp');
    await expect(composer).toHaveValue('four');
    await composer.press('End');
    await composer.pressSequentially(' is last');
    await page.getByRole('button', { name: 'Queue', exact: true }).click();
    await expect(rows).toHaveText(['two', 'three', 'four is last']);
    await expect(
      page.getByRole('article', { name: 'You' }).getByRole('button', { name: /^Edit message: wait/ }),
    ).toHaveCount(1);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
      await page.screenshot({ path: `${screens}/queue-${colorScheme}.png` });
    }
    first.open();
    await expect(lastAnswer(page)).toContainText('Two');
    await expect(rows).toHaveText(['three', 'four is last']);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(queue.getByRole('status')).toHaveText('2 messages wait for you.');
    await lastAnswer(page).getByRole('button', { name: 'Continue' }).click();
    await expect(lastAnswer(page)).toContainText('and on.');
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
    await expect(queue.getByRole('status')).toHaveText('2 messages wait for you.');
    await page.screenshot({ path: `${screens}/queue-held.png` });
    await close();

    const again = await start({ env });
    const left = again.page.getByRole('region', { name: 'Queue' });
    await again.page.getByRole('navigation', { name: 'Conversations' }).getByText('one').click();
    await expect(left.getByRole('listitem')).toHaveText(['three', 'four is last']);
    await left.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(lastAnswer(again.page)).toContainText('Last.');
    await expect(left).toBeHidden();
    expect(endpoint.requests.map(({ violation }) => violation)).toEqual(
      endpoint.requests.map(() => undefined),
    );
  } finally {
    first.open();
    second.open();
    await endpoint.close();
  }
});
