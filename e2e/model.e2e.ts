import { expect, test } from './support/app.ts';
import { approval, lastAnswer, send, serversReady, turnEnds } from './support/chat.ts';
import { type MessagesEndpoint, startMessagesEndpoint } from './support/messagesEndpoint.ts';
import { keepOpenedPages } from './support/openedPages.ts';

const KEY = 'sk-test-e2e-0123456789';

function environment(endpoint: MessagesEndpoint) {
  return { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: endpoint.url };
}

test('a streamed answer calls two tools at once and goes on with their results', async ({ start }) => {
  const endpoint = await startMessagesEndpoint({ key: KEY });
  try {
    endpoint.script.push(
      {
        blocks: [
          { type: 'text', text: 'Let me add both.' },
          { type: 'tool_use', id: 't1', name: 'sample__add', input: { a: 19, b: 23 } },
          { type: 'tool_use', id: 't2', name: 'sample__add', input: { a: 1, b: 2 } },
        ],
      },
      { blocks: [{ type: 'text', text: 'The sums are **42** and 3.\n\n```js\nconst sum = 42;\n```' }] },
    );
    const { page } = await start({ env: environment(endpoint) });
    await serversReady(page);
    await send(page, 'add two pairs');
    for (let call = 0; call < 2; call++)
      await approval(page).getByRole('button', { name: 'Allow once' }).click();
    await turnEnds(page);
    await expect(lastAnswer(page)).toContainText('The sums are 42 and 3.');
    await expect(lastAnswer(page).getByRole('button', { name: 'Copy code' })).toBeVisible();
    await expect(page.getByRole('button', { name: /sample.*Add two numbers.*done/ })).toHaveCount(2);

    const [, second] = endpoint.requests;
    const results = second?.body.messages.at(-1)?.content;
    expect(JSON.stringify(results)).toMatch(/tool_result.*42.*tool_result.*3/);
    expect(endpoint.requests.map(({ violation }) => violation)).toEqual([undefined, undefined]);
  } finally {
    await endpoint.close();
  }
});

test('Stop in the middle of an answer keeps what is there and leaves a conversation that goes on', async ({
  start,
}) => {
  const endpoint = await startMessagesEndpoint({ key: KEY });
  try {
    endpoint.script.push(
      { blocks: [{ type: 'text', text: 'The first half' }, { wait: new Promise(() => undefined) }] },
      { blocks: [{ type: 'text', text: 'Here I am again.' }] },
    );
    const { page } = await start({ env: environment(endpoint) });
    await serversReady(page);
    await send(page, 'tell me something long');
    await expect(lastAnswer(page)).toContainText('The first half');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await turnEnds(page);
    await expect(lastAnswer(page)).toContainText('The first half');
    expect(await endpoint.requests[0]?.answered).toBe(false);
    await send(page, 'are you there?');
    await expect(lastAnswer(page)).toContainText('Here I am again.');
    expect(endpoint.requests.at(-1)?.violation).toBeUndefined();
  } finally {
    await endpoint.close();
  }
});

test('a refused key is said in words with the way to mend it, and Retry goes on after that', async ({
  start,
}) => {
  const endpoint = await startMessagesEndpoint({ key: 'the-right-key' });
  try {
    endpoint.script.push({ blocks: [{ type: 'text', text: 'Now it works.' }] });
    const { page } = await start({ env: { ANTHROPIC_BASE_URL: endpoint.url } });
    await serversReady(page);
    await page.getByRole('button', { name: 'Model', exact: true }).click();
    await page.getByRole('textbox', { name: 'API key', exact: true }).fill('wrong-key');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: /Test/ }).click();
    await expect(page.getByRole('alert')).toContainText(/key/i);

    await page.getByRole('button', { name: 'New conversation' }).click();
    await send(page, 'hello');
    await expect(lastAnswer(page)).toContainText(/key/i);
    await expect(page.locator('body')).not.toContainText('wrong-key');
    await page.getByRole('button', { name: 'Open Model' }).click();
    await page.getByRole('textbox', { name: 'New API key' }).fill('the-right-key');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('button', { name: 'hello', exact: true })
      .click();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(lastAnswer(page)).toContainText('Now it works.');
  } finally {
    await endpoint.close();
  }
});

test('an endpoint that is down is said in words', async ({ start }) => {
  const endpoint = await startMessagesEndpoint({ key: KEY });
  await endpoint.close();
  const { page } = await start({ env: environment(endpoint) });
  await page.getByRole('button', { name: 'Model', exact: true }).click();
  await page.getByRole('button', { name: /Test/ }).click();
  await expect(page.getByRole('alert')).toContainText(/refused|reach|answer/i);
});

test('hostile text in an answer does nothing (BC-37, BC-38)', async ({ start }) => {
  const endpoint = await startMessagesEndpoint({ key: KEY });
  try {
    const hostile = [
      '<img src=x onerror="window.__pwned=1"> <svg onload="window.__pwned=1"></svg>',
      '<iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>',
      '[a](https://example.org) [b](javascript:alert(1)) [c](file:///etc/passwd) [f](/settings) [g](//evil.test)',
      '[d](smb://h/s) [e](vscode://x/y) [h](mailto:x@y.z) [j](data:text/html,<script>1</script>) [k](ms-msdt:/id)',
      '<math><mi xlink:href="javascript:__pwned=1">x <a href="jav&#x09;ascript:__pwned=1">x</a>',
      '$\\href{javascript:window.__pwned=1}{x}$ <style>*{display:none}</style>',
      '```mermaid\ngraph TD; A-->B; click A href "javascript:window.__pwned=1"\n```',
      'https://пример.рф',
      '[https://good.example](https://evil.example) [**https://good.example**](https://evil.example)',
      '![pixel](https://evil.test/p.png)',
    ].join('\n\n');
    endpoint.script.push({ blocks: [{ type: 'text', text: hostile }] });
    const { app, page } = await start({ env: environment(endpoint) });
    const opened = await keepOpenedPages(app);
    const before = page.url();
    await send(page, 'show me');
    await turnEnds(page);
    const answer = lastAnswer(page);
    await expect(answer.getByRole('link')).toHaveCount(5);
    await expect(answer.getByText('leads to evil.example')).toHaveCount(2);
    for (const link of await answer.getByRole('link').all()) {
      await link.click();
      await link.click({ modifiers: ['Control'] });
      await link.click({ button: 'middle' });
    }
    expect(await page.evaluate(() => '__pwned' in window)).toBe(false);
    expect(page.url()).toBe(before);
    expect(app.windows()).toHaveLength(1);
    expect(new Set(await opened())).toEqual(
      new Set([
        'https://example.org/',
        'https://evil.example/',
        'mailto:x@y.z',
        'https://xn--e1afmkfd.xn--p1ai/',
      ]),
    );
  } finally {
    await endpoint.close();
  }
});
