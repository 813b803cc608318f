import type { Page } from '@playwright/test';
import { expect, test } from './support/app.ts';
import { approve, lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';
import { keepOpenedPages } from './support/openedPages.ts';

/** The form that the sample server's `book-table` asks for. */
async function openForm(page: Page) {
  await serversReady(page);
  await send(page, '/sample book-table {}');
  await approve(page);
  const form = page.getByRole('region', { name: 'A question for you' });
  await expect(form).toContainText('When shall we expect you?');
  await expect(form).toContainText('sample');
  return form;
}

test('a form is filled in, checked beside its fields, and its answer reaches the server', async ({
  start,
}) => {
  const { page } = await start();
  const form = await openForm(page);
  await form.getByRole('textbox', { name: 'Guests' }).fill('400');
  await form.getByRole('button', { name: 'Send answer' }).click();
  await expect(form.getByRole('alert').first()).toBeVisible();
  await expect(form.getByRole('textbox', { name: 'Your name' })).toBeFocused();

  await form.getByRole('textbox', { name: 'Your name' }).fill('Ada');
  await form.getByRole('textbox', { name: 'Guests' }).fill('4');
  await form.getByRole('textbox', { name: 'Day' }).fill('2027-03-14');
  await form.getByRole('radio', { name: 'Noon' }).check();
  await form.getByRole('checkbox', { name: 'Vegan' }).check();
  await form.getByRole('switch', { name: 'Sit outside' }).click();
  await form.getByRole('button', { name: 'Send answer' }).click();
  await expect(form).toBeHidden();
  await turnEnds(page);
  await expect(lastAnswer(page)).toContainText(
    'Booked for Ada: a table for 4 on 2027-03-14 at 12:00, outside.',
  );
  await expect(lastAnswer(page)).toContainText('Diets: vegetarian, vegan.');
});

for (const [button, words] of [
  ['Decline', 'the person declined'],
  ['Cancel', 'the person closed the form'],
] as const) {
  test(`${button} is an answer of its own`, async ({ start }) => {
    const { page } = await start();
    const form = await openForm(page);
    await form.getByRole('button', { name: button }).click();
    await turnEnds(page);
    await expect(lastAnswer(page)).toContainText(words);
  });
}

test('Stop ends a question and the turn', async ({ start }) => {
  const { page } = await start();
  const form = await openForm(page);
  await page.getByRole('button', { name: 'Stop', exact: true }).last().click();
  await expect(form).toBeHidden();
  await turnEnds(page);
});

test('a page on this computer is opened only after the address was shown and agreed to', async ({
  start,
}) => {
  const { app, page } = await start();
  const opened = await keepOpenedPages(app);
  await serversReady(page);
  await send(page, '/sample visit-page {}');
  await approve(page);
  const ask = page.getByRole('region', { name: 'Open a page in your browser?' });
  await expect(ask).toContainText('127.0.0.1');
  expect(await opened()).toEqual([]);
  await ask.getByRole('button', { name: /^Open/ }).click();
  await expect.poll(opened).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//)]);

  const waiting = page.getByRole('region', { name: 'Waiting for you to finish in your browser' });
  await waiting.getByRole('button', { name: 'Open the page again' }).click();
  await expect.poll(async () => (await opened()).length).toBe(2);
  await fetch((await opened())[0] ?? '', { method: 'POST' });
  await waiting.getByRole('button', { name: 'I have finished' }).click();
  await turnEnds(page);
  await expect(lastAnswer(page)).toContainText('pressed the button');
});
