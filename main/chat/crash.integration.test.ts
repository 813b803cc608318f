import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { referenceServer, tempDir } from '../../e2e/support/host.ts';
import { nodeEntry } from '../../e2e/support/manager.ts';
import { startMessagesEndpoint, text, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import { startTurns } from '../../e2e/support/turns.ts';
import { bundle } from '../../scripts/testing/bundle.mjs';
import { openDatabase } from '../database.ts';
import { recoverInterrupted } from './interrupted.ts';

let built: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  built = await bundle('main');
}, 120_000);
afterAll(() => built.remove());

it('a conversation that was killed in the middle of a call opens and goes on; the call is not made again (BC-35)', async () => {
  const temp = await tempDir();
  onTestFinished(() => temp.remove());
  const endpoint = await startMessagesEndpoint();
  onTestFinished(() => endpoint.close());
  const mcpServers = { everything: nodeEntry(referenceServer('everything')) };
  const config = join(temp.path, 'other.json');
  await writeFile(config, JSON.stringify({ mcpServers }));
  const slow = { duration: 60, steps: 2 };
  endpoint.script.push({
    blocks: [text('I start.'), toolUse('t1', 'everything__trigger-long-running-operation', slow)],
  });

  const args = [
    'ask',
    '--data',
    temp.path,
    '--config',
    config,
    '--model',
    'claude-opus-5-5',
    '--approve',
    'all',
    'go',
  ];
  const env = { ...process.env, ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: endpoint.url };
  const child = spawn(process.execPath, [join(built.dir, 'main/cli.js'), ...args], { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  await endpoint.arrived(1);
  const db = openDatabase(join(temp.path, 'parley.db'));
  const running = db.prepare(`SELECT 1 FROM blocks WHERE json LIKE '%"status":"running"%'`);
  await vi.waitUntil(() => running.get(), { timeout: 20_000, interval: 20 });
  child.kill('SIGKILL');
  await exited;
  const id = (db.prepare('SELECT id FROM conversations').get() as { id: string }).id;
  db.close();

  const {
    conversations,
    db: reopened,
    turns,
    manager,
  } = await startTurns(mcpServers, {
    endpoint: { baseUrl: endpoint.url },
    dataDir: temp.path,
  });
  recoverInterrupted(reopened, conversations, () => {});
  expect(conversations.messages(id)).toMatchObject([
    { role: 'user', status: 'complete' },
    {
      role: 'assistant',
      status: 'incomplete',
      blocks: [{ text: 'I start.' }, { type: 'toolCall', status: 'interrupted' }],
    },
  ]);

  const call = vi.spyOn(manager, 'connection');
  endpoint.script.push({ blocks: [text('Welcome back.')] });
  await turns.send(id, 'hello');
  await vi.waitUntil(() => turns.states().length === 0, { timeout: 20_000, interval: 5 });
  expect(conversations.messages(id).at(-1)).toMatchObject({
    status: 'complete',
    blocks: [{ text: 'Welcome back.' }],
  });
  expect(endpoint.requests[1]?.violation).toBeUndefined();
  expect(endpoint.requests[1]?.body.messages.at(-1)?.content).toMatchObject([
    { tool_use_id: 't1', is_error: true, content: [{ text: /interrupted/ }] },
    { text: 'hello' },
  ]);
  expect(call).not.toHaveBeenCalled();
});
