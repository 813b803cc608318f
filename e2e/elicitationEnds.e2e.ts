import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './support/app.ts';
import { approve, lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';
import { offerForm, openQuestion } from './support/formsServer.ts';
import { referenceServer } from './support/host.ts';
import { keepOpenedPages } from './support/openedPages.ts';

const WAITING = 'Waiting for you to finish in your browser';

/** Where one field asks for another: the form cannot know, the schema's own check does. */
const pair = {
  message: 'One or both?',
  requestedSchema: {
    type: 'object',
    properties: { from: { type: 'string', title: 'From' }, to: { type: 'string', title: 'To' } },
    dependentRequired: { from: ['to'] },
  },
};

test('an answer that the last check refuses stays in the form, and can be mended', async ({
  start,
  dataDir,
}) => {
  const answers = await offerForm(dataDir, pair);
  const { page } = await start();
  const form = await openQuestion(page);
  await form.getByRole('textbox', { name: 'From' }).fill('Graz');
  await form.getByRole('button', { name: 'Send answer' }).click();
  await expect(form.getByRole('alert')).toContainText('Nothing was sent');
  await expect(form.getByRole('alert')).toContainText('to');
  expect(await answers()).toEqual([]);
  await expect(form.getByRole('textbox', { name: 'From' })).toHaveValue('Graz');
  await form.getByRole('textbox', { name: 'To' }).fill('Linz');
  await form.getByRole('button', { name: 'Send answer' }).click();
  await turnEnds(page);
  expect(await answers()).toEqual([{ action: 'accept', content: { from: 'Graz', to: 'Linz' } }]);
});

test('a form without fields is agreed to, and sends an empty answer', async ({ start, dataDir }) => {
  const answers = await offerForm(dataDir, {
    message: 'Delete 3 files?',
    requestedSchema: { type: 'object', properties: {} },
  });
  const { page } = await start();
  const form = await openQuestion(page);
  await form.getByRole('button', { name: 'Agree' }).click();
  await turnEnds(page);
  expect(await answers()).toEqual([{ action: 'accept', content: {} }]);
});

test('what is typed is still there after a look at another conversation', async ({ start, dataDir }) => {
  const answers = await offerForm(dataDir, pair);
  const { page } = await start();
  const form = await openQuestion(page);
  await form.getByRole('textbox', { name: 'To' }).fill('Linz');
  await page.getByRole('button', { name: 'New conversation' }).click();
  await expect(form).toBeHidden();
  await page.getByText('/forms ask {}').first().click();
  await expect(form.getByRole('textbox', { name: 'To' })).toHaveValue('Linz');
  await form.getByRole('button', { name: 'Send answer' }).click();
  await turnEnds(page);
  expect(await answers()).toEqual([{ action: 'accept', content: { to: 'Linz' } }]);
});

test('several questions of one round are answered one by one', async ({ start }) => {
  const { page } = await start();
  await serversReady(page);
  await send(page, '/sample plan-party {}');
  await approve(page);
  const form = page.getByRole('region', { name: 'A question for you' });
  await expect(page.getByText('1 of 2 questions')).toBeVisible();
  await expect(form).toContainText('What shall we eat');
  await form.getByRole('radio', { name: 'Cake' }).check();
  await form.getByRole('button', { name: 'Send answer' }).click();
  await expect(form).toContainText('what shall we hear');
  await form.getByRole('button', { name: 'Decline' }).click();
  await turnEnds(page);
  await expect(lastAnswer(page)).toContainText('Food: Cake');
  await expect(lastAnswer(page)).toContainText('Music: left to you');
});

test('Escape cancels, but not from an open list', async ({ start, dataDir }) => {
  const answers = await offerForm(dataDir, {
    message: 'Which?',
    requestedSchema: {
      type: 'object',
      properties: { it: { type: 'string', title: 'It', enum: [...'abcdefghij'] } },
    },
  });
  const { page } = await start();
  const form = await openQuestion(page);
  const list = form.getByRole('combobox', { name: 'It' });
  await list.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(form).toBeVisible();
  await page.keyboard.press('Escape');
  await turnEnds(page);
  expect(await answers()).toEqual([{ action: 'cancel' }]);
});

test('what no form can ask ends the call with the name of the field, and asks nobody', async ({
  start,
  dataDir,
}) => {
  await offerForm(dataDir, {
    message: 'Where?',
    requestedSchema: { type: 'object', properties: { addr: { type: 'object' } }, required: ['addr'] },
  });
  const { page } = await start();
  await serversReady(page);
  await send(page, '/forms ask {}');
  await approve(page);
  await turnEnds(page);
  await expect(page.getByRole('region', { name: 'A question for you' })).toBeHidden();
  await expect(lastAnswer(page)).toContainText('addr');
});

for (const [button, action] of [
  ['Decline', 'decline'],
  ['Cancel', 'cancel'],
] as const) {
  test(`a page is not opened after ${button}`, async ({ start, dataDir }) => {
    const answers = await offerForm(dataDir, { mode: 'url', message: 'Go', url: 'https://example.test/' });
    const { app, page } = await start();
    const opened = await keepOpenedPages(app);
    const ask = await openQuestion(page, 'Open a page in your browser?');
    await ask.getByRole('button', { name: button }).click();
    await turnEnds(page);
    expect(await answers()).toEqual([{ action }]);
    expect(await opened()).toEqual([]);
  });
}

test('Stop ends the waiting for a page, and the server is not asked again', async ({ start, dataDir }) => {
  const answers = await offerForm(dataDir, { mode: 'url', message: 'Go', url: 'https://example.test/' });
  const { app, page } = await start();
  await keepOpenedPages(app);
  const ask = await openQuestion(page, 'Open a page in your browser?');
  await ask.getByRole('button', { name: 'Open in browser' }).click();
  const waiting = page.getByRole('region', { name: WAITING });
  await expect(waiting).toBeVisible();
  await page.getByRole('button', { name: 'Stop', exact: true }).last().click();
  await expect(waiting).toBeHidden();
  await turnEnds(page);
  expect(await answers()).toEqual([]);
});

test.describe('the reference server (legacy)', () => {
  test.beforeEach(async ({ dataDir }) => {
    const entry = { command: process.execPath, args: [referenceServer('everything'), 'stdio'] };
    await writeFile(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { everything: entry } }));
  });

  test('has its whole form filled in', async ({ start }) => {
    const { page } = await start();
    await call(page, 'trigger-elicitation-request {}');
    const form = page.getByRole('region', { name: 'A question for you' });
    const fill = (name: string, text: string) => form.getByRole('textbox', { name, exact: true }).fill(text);
    await expect(form.getByRole('textbox', { name: 'String with default' })).toHaveValue(
      'It was a dark and stormy night.',
    );
    await expect(form.getByRole('note')).toHaveCount(0);
    await fill('String', 'Ada Lovelace');
    await fill('String with email format', 'ada@example.com');
    await fill('String with uri format', 'https://example.com/ada');
    await fill('String with date format', '1815-12-10');
    await fill('Integer', '7');
    await fill('Number in range 1-1000', '2.5');
    await form.getByRole('radio', { name: 'Yes' }).check();
    const friend = form.getByRole('combobox', { name: 'Untitled Single Select Enum' });
    await friend.click();
    await page.getByRole('option', { name: 'Phoebe' }).click();
    await form.getByRole('checkbox', { name: 'Piano' }).check();
    await form.getByRole('radio', { name: 'Wonder Woman' }).check();
    await form.getByRole('checkbox', { name: 'Salmon' }).check();
    await form.getByRole('radio', { name: 'Reptiles' }).check();
    await form.getByRole('button', { name: 'Send answer' }).click();
    await turnEnds(page);
    const said = ((await lastAnswer(page).textContent()) ?? '').replaceAll('\\', '');
    for (const words of [
      '"check": true',
      '"birthdate": "1815-12-10"',
      '"integer": 7',
      '"number": 2.5',
      '"untitledSingleSelectEnum": "Phoebe"',
      '"titledSingleSelectEnum": "hero-3"',
      '"legacyTitledEnum": "pet-5"',
    ])
      expect(said).toContain(words);
  });

  test('hears of the consent at once, and the waiting ends with its call', async ({ start }) => {
    const { app, page } = await start();
    const opened = await keepOpenedPages(app);
    await call(page, 'trigger-url-elicitation {"url":"https://example.test/go"}');
    const ask = page.getByRole('region', { name: 'Open a page in your browser?' });
    await ask.getByRole('button', { name: 'Open in browser' }).click();
    await turnEnds(page);
    await expect(page.getByRole('region', { name: WAITING })).toBeHidden();
    await expect(lastAnswer(page)).toContainText('User completed the URL elicitation flow');
    expect(await opened()).toEqual(['https://example.test/go']);
  });

  test('that refuses until a page was visited is asked again when the person has finished there', async ({
    start,
  }) => {
    const { app, page } = await start();
    const opened = await keepOpenedPages(app);
    await call(page, 'trigger-url-elicitation {"url":"https://example.test/go","errorPath":true}');
    const ask = page.getByRole('region', { name: 'Open a page in your browser?' });
    await expect(ask).toContainText('modelcontextprotocol.io');
    await ask.getByRole('button', { name: 'Open in browser' }).click();
    await page
      .getByRole('region', { name: WAITING })
      .getByRole('button', { name: 'I have finished' })
      .click();
    await expect(ask).toContainText('example.test');
    await ask.getByRole('button', { name: 'Decline' }).click();
    await turnEnds(page);
    await expect(lastAnswer(page)).toContainText('declined to open the URL');
    expect(await opened()).toEqual(['https://modelcontextprotocol.io/']);
  });
});

async function call(page: Page, words: string): Promise<void> {
  await serversReady(page);
  await send(page, `/everything ${words}`);
  await approve(page);
}
