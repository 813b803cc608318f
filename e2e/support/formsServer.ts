import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { approve, send, serversReady } from './chat.ts';
import { ownServer } from './host.ts';

/** Makes `forms` the only server of Parley: its tool `ask` asks this. What returns reads the answers that it got. */
export async function offerForm(dataDir: string, elicitation: object): Promise<() => Promise<unknown[]>> {
  const file = join(dataDir, 'answers.jsonl');
  await writeFile(file, '');
  const entry = {
    command: process.execPath,
    args: [ownServer('forms.mjs')],
    env: { FORM: JSON.stringify(elicitation), ANSWERS: file },
  };
  await writeFile(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { forms: entry } }));
  return async () =>
    (await readFile(file, 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line));
}

/** Has the server ask; returns the question. */
export async function openQuestion(page: Page, name = 'A question for you') {
  await serversReady(page);
  await send(page, '/forms ask {}');
  await approve(page);
  const question = page.getByRole('region', { name });
  await question.waitFor();
  return question;
}
