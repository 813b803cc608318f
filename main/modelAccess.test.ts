import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tempDir, testPorts } from '../e2e/support/host.ts';
import type { ChatModel } from './chat/model.ts';
import { ModelAccess } from './modelAccess.ts';
import { SettingsStore } from './settings.ts';

async function start() {
  const temp = await tempDir();
  onTestFinished(() => temp.remove());
  const settings = new SettingsStore(join(temp.path, 'settings.json'), () => {});
  const guide: ChatModel = { async *stream() {} };
  const ports = testPorts(temp.path, { env: {} });
  return { settings, guide, model: new ModelAccess({ ports, settings, guide, emit: () => {} }) };
}

it('keeps what it knows of an endpoint from turn to turn, until its key, address or headers change', async () => {
  const { model, settings } = await start();
  model.setKey('sk-one', false);
  const first = model.current().chatModel;
  expect(model.current().chatModel).toBe(first);
  settings.update({ model: 'claude-haiku-5-5' });
  expect(model.current()).toMatchObject({ model: 'claude-haiku-5-5', chatModel: first });
  const changes = [
    () => model.setKey('sk-two', false),
    () => settings.update({ baseUrl: 'http://127.0.0.1:9' }),
    () => model.setHeaders({ 'X-Team': 'blue' }),
  ];
  const seen = new Set([first]);
  for (const change of changes) {
    change();
    expect(seen.has(model.current().chatModel)).toBe(false);
    seen.add(model.current().chatModel);
  }
});

it('is the Guide without a key, and a language model as soon as there is one', async () => {
  const { model, guide } = await start();
  expect(model.current()).toMatchObject({ model: 'guide', chatModel: guide });
  model.setKey('sk-one', false);
  expect(model.current().chatModel).not.toBe(guide);
  model.clearKey();
  expect(model.current()).toMatchObject({ model: 'guide', chatModel: guide });
});
