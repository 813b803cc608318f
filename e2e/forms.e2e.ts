import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/app.ts';
import { expectAccessible } from './support/axe.ts';
import { turnEnds } from './support/chat.ts';
import { offerForm, openQuestion } from './support/formsServer.ts';
import { inMain } from './support/inMain.ts';
import { tabTo } from './support/keyboard.ts';
import { resize, shootZoomed, zoomTwice } from './support/window.ts';

/** Kept after the run, to be looked at. */
const folder = resolve(import.meta.dirname, '../test-results/forms');

const countries = [
  'Austria',
  'Brazil',
  'Chad',
  'Denmark',
  'Egypt',
  'Fiji',
  'Ghana',
  'Haiti',
  'Iceland',
  'Österland',
];

/** Every kind of field, and what no form can ask. */
const everything = {
  message: 'All of it, please: https://example.com/terms\u202e',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name', minLength: 2, maxLength: 40 },
      about: { type: 'string', title: 'About you', maxLength: 500 },
      code: { type: 'string', title: 'Code', pattern: '^[A-Z]{2}\\d{2}$' },
      mail: { type: 'string', title: 'E-mail', format: 'email' },
      home: { type: 'string', title: 'Home page', format: 'uri' },
      day: { type: 'string', title: 'Day', format: 'date' },
      moment: { type: 'string', title: 'Moment', format: 'date-time' },
      guests: { type: 'integer', title: 'Guests', minimum: 1, maximum: 12 },
      price: { type: 'number', title: 'Price', exclusiveMinimum: 0, multipleOf: 0.1 },
      agree: { type: 'boolean', title: 'Agree' },
      news: { type: 'boolean', title: 'Newsletter', default: true },
      size: { type: 'string', title: 'Size', enum: ['s', 'm', 'l'], enumNames: ['Small', 'Medium', 'Large'] },
      plan: {
        type: 'string',
        title: 'Plan',
        oneOf: ['Free', 'Solo', 'Team', 'School', 'Firm', 'World'].map(title => ({
          const: title.toLowerCase(),
          title,
        })),
      },
      land: { type: 'string', title: 'Country', enum: countries },
      days: {
        type: 'array',
        title: 'Days',
        items: { type: 'string', enum: ['mon', 'tue', 'wed'] },
        minItems: 1,
        maxItems: 2,
      },
      been: {
        type: 'array',
        title: 'Been to',
        items: { anyOf: countries.map(title => ({ const: title.slice(0, 2), title })) },
      },
      pin: { type: 'integer', title: 'PIN' },
      addr: { type: 'object', title: 'Address' },
    },
    required: ['name', 'guests', 'agree', 'size', 'land', 'days'],
  },
};

test('every kind of field is filled in, corrected and sent by the keyboard alone', async ({
  start,
  dataDir,
}) => {
  const answers = await offerForm(dataDir, everything);
  const { page } = await start();
  const form = await openQuestion(page);
  const { keyboard } = page;
  const box = (name: string) => form.getByRole('textbox', { name, exact: false });
  const type = async (field: Locator, text: string) => {
    await tabTo(page, field);
    await keyboard.type(text);
  };

  // From wherever the keyboard is, backwards into the question, which comes before the composer.
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await tabTo(page, box('Your name'), 'Shift+Tab');
  await keyboard.type('A');
  // Not before it was left.
  await expect(box('Your name')).not.toHaveAttribute('aria-invalid');
  await keyboard.press('Enter');
  // The first field that is wrong, with the words beside it and told of it.
  await expect(box('Your name')).toBeFocused();
  await expect(box('Your name')).toHaveAttribute('aria-invalid', 'true');
  await expect(box('Your name')).toHaveAccessibleDescription(/Enter at least 2 characters; this has 1/);
  await keyboard.type('da');
  await expect(box('Your name')).not.toHaveAttribute('aria-invalid');

  await type(box('About you'), 'one');
  await keyboard.press('Enter');
  await keyboard.type('two');
  await type(box('Code'), 'ab12');
  await tabTo(page, box('E-mail'));
  await expect(box('Code')).toHaveAccessibleDescription(/must match the pattern/);
  await keyboard.type('ada');
  await tabTo(page, box('Code'), 'Shift+Tab');
  await expect(box('E-mail')).toHaveAccessibleDescription(/Enter an e-mail address/);
  await keyboard.press('Control+A');
  await keyboard.type('AB12');
  await type(box('E-mail'), '');
  await keyboard.press('End');
  await keyboard.type('@example.com');
  await type(box('Home page'), 'https://example.com/ada');
  await type(box('Day'), '2027-02-30');
  await tabTo(page, form.getByRole('button', { name: 'Choose Day in a calendar' }));
  await tabTo(page, box('Moment'));
  await expect(box('Day')).toHaveAccessibleDescription(/Enter a date/);
  await keyboard.type('2027-03-14T09:30:00+02:00');
  await tabTo(page, box('Day'), 'Shift+Tab');
  await keyboard.press('Control+A');
  await keyboard.type('2027-02-28');
  await type(box('Guests'), '4');
  await type(box('Price'), '0.3');
  await tabTo(page, form.getByRole('radiogroup', { name: 'Agree' }).getByRole('radio', { name: 'Yes' }));
  await keyboard.press('ArrowDown');
  await tabTo(page, form.getByRole('switch', { name: 'Newsletter' }));
  await keyboard.press('Space');
  await tabTo(page, form.getByRole('radio', { name: 'Small' }));
  await keyboard.press('ArrowDown');
  await tabTo(page, form.getByRole('combobox', { name: 'Plan' }));
  await keyboard.press('Enter');
  await keyboard.type('Sch');
  await keyboard.press('Enter');
  const country = form.getByRole('combobox', { name: 'Country' });
  await tabTo(page, country);
  await keyboard.type('oster');
  await expect(country).toHaveAttribute('aria-expanded', 'true');
  await expect(form.getByRole('option')).toHaveText(['Österland']);
  await keyboard.press('Enter');
  await expect(country).toHaveValue('Österland');
  await keyboard.press('ArrowDown');
  await keyboard.press('Escape');
  await expect(country).toHaveAttribute('aria-expanded', 'false');
  await expect(form).toBeVisible();
  await tabTo(page, form.getByRole('checkbox', { name: 'tue' }));
  await keyboard.press('Space');
  await type(form.getByRole('textbox', { name: 'Search in Been to' }), 'fij');
  await tabTo(page, form.getByRole('checkbox', { name: 'Fiji' }));
  await keyboard.press('Space');
  await expect(form).toContainText('1 of 10 chosen');
  await expect(box('PIN')).toHaveAccessibleDescription(
    /must not ask for passwords, keys, card numbers or PINs/,
  );
  await expect(form).toContainText('“Address”, which no form can ask for');

  await tabTo(page, form.getByRole('button', { name: 'Send answer' }));
  await keyboard.press('Enter');
  await turnEnds(page);
  expect(await answers()).toEqual([
    {
      action: 'accept',
      content: {
        name: 'Ada',
        about: 'one\ntwo',
        code: 'AB12',
        mail: 'ada@example.com',
        home: 'https://example.com/ada',
        day: '2027-02-28',
        moment: '2027-03-14T09:30:00+02:00',
        guests: 4,
        price: 0.3,
        agree: false,
        news: false,
        size: 'm',
        plan: 'school',
        land: 'Österland',
        days: ['tue'],
        been: ['Fi'],
      },
    },
  ]);
});

for (const theme of ['light', 'dark'] as const) {
  test(`every kind of field is accessible and fits, ${theme}`, async ({ start, dataDir }) => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ theme }));
    await offerForm(dataDir, everything);
    const { app, page } = await start();
    const form = await openQuestion(page);
    // Addresses in any text are text, and hidden characters are seen.
    await expect(form.getByRole('link')).toHaveCount(0);
    await expect(form).toContainText('https://example.com/termsU+202E');
    await expect(form.getByRole('button', { name: 'Send answer' })).toBeEnabled();
    await shoot(page, `${theme}-1-top`);
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Send answer' }).click();
    await shoot(page, `${theme}-2-errors`);
    await expectAccessible(page);
    for (const [index, name] of ['Moment', 'Size', 'Search in Been to', 'PIN'].entries()) {
      const target = form
        .getByLabel(name, { exact: true })
        .or(form.getByRole('radiogroup', { name }))
        .first();
      await target.scrollIntoViewIfNeeded();
      await shoot(page, `${theme}-3-${index}`);
    }
    const country = form.getByRole('combobox', { name: 'Country' });
    await country.click();
    await expect(country).toHaveAttribute('aria-expanded', 'true');
    await shoot(page, `${theme}-4-list`);
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    await resize(app, page, 800, 600);
    await shoot(page, `${theme}-5-800x600`);
    expect(await overflow(page)).toBe(0);
    await zoomTwice(app, page);
    await shootZoomed(app, page, join(folder, `${theme}-6-200-percent.png`));
    expect(await overflow(page)).toBe(0);
    // Everything can still be reached.
    const send = form.getByRole('button', { name: 'Send answer' });
    await send.scrollIntoViewIfNeeded();
    await expect(send).toBeInViewport();
  });

  test(`the question about a page is accessible and fits, ${theme}`, async ({ start, dataDir }) => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ theme }));
    const url = `http://user@xn--pple-43d.com/${'very-long/'.repeat(80)}`;
    const answers = await offerForm(dataDir, { mode: 'url', message: 'Sign in to go on.', url });
    const { app, page } = await start();
    await inMain(app, ({ shell }) => {
      shell.openExternal = async () => undefined;
    });
    const ask = await openQuestion(page, 'Open a page in your browser?');
    for (const words of ['user name, not the site', 'special letters', 'not encrypted', 'unusually long'])
      await expect(ask).toContainText(words);
    await expect(ask.getByRole('link')).toHaveCount(0);
    await expect(ask.getByRole('button', { name: 'Open in browser' })).toBeEnabled();
    await shoot(page, `${theme}-7-page`);
    await expectAccessible(page);
    await resize(app, page, 800, 600);
    expect(await overflow(page)).toBe(0);
    await ask.getByRole('button', { name: 'Open in browser' }).click();
    const waiting = page.getByRole('region', { name: 'Waiting for you to finish in your browser' });
    await expect(waiting.getByRole('button', { name: 'I have finished' })).toBeEnabled();
    await shoot(page, `${theme}-8-waiting`);
    await expectAccessible(page);
    await waiting.getByRole('button', { name: 'I have finished' }).click();
    await turnEnds(page);
    expect(await answers()).toEqual([{ action: 'accept' }]);
  });
}

/** How far the page is wider than the window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
