import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ownServer, tempDir } from '../../e2e/support/host.ts';
import { nodeEntry } from '../../e2e/support/manager.ts';
import { startMessagesEndpoint, text, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import { tasksIn } from '../../e2e/support/tasks.ts';
import { startTurns } from '../../e2e/support/turns.ts';
import type { ToolCallBlock } from '../../shared/chat.ts';
import type { Db } from '../database.ts';
import { AdoptedTasks } from './adoptedTasks.ts';
import { recoverInterrupted } from './interrupted.ts';

/** A conversation in which a task was begun, and how to look at it in this and the next life of Parley. */
async function begin(input: Record<string, unknown> = {}) {
  const { path: dataDir, remove } = await tempDir();
  const folder = join(dataDir, 'tasks');
  await mkdir(folder);
  const endpoint = await startMessagesEndpoint();
  onTestFinished(async () => {
    await endpoint.close();
    await remove();
  });
  const servers = { worker: nodeEntry(ownServer('tasks.mjs'), [], { TASKS: folder }) };
  const start = () => startTurns(servers, { dataDir, endpoint: { baseUrl: endpoint.url } });
  endpoint.script.push({ blocks: [toolUse('t1', 'worker__work', input)] });
  const first = await start();
  const { id } = first.conversation;
  await first.turns.send(id, 'Work');
  const cardOf = (life: typeof first) =>
    life.conversations
      .messages(id)
      .at(-1)
      ?.blocks.find(block => block.type === 'toolCall') as ToolCallBlock;
  await vi.waitFor(() => expect(cardOf(first).task).toBeDefined(), 10_000);
  const taskId = cardOf(first).task?.id ?? '';
  /** The next life, which waits for what was left. */
  const restart = async (before?: (db: Db) => void) => {
    const life = await start();
    before?.(life.db);
    recoverInterrupted(life.db, life.conversations, () => {});
    const adopted = new AdoptedTasks(life);
    onTestFinished(() => adopted.close());
    adopted.adopt();
    return { ...life, adopted };
  };
  return { first, id, endpoint, taskId, cardOf, restart, ...tasksIn(folder) };
}

describe('a call that became a task', () => {
  it('is shown as running with what the server says, and gives its result to the model', async () => {
    const { first, endpoint, taskId, cardOf, finish } = await begin();
    expect(cardOf(first)).toMatchObject({
      status: 'running',
      task: { message: 'Half of it is done', waiting: false },
    });
    endpoint.script.push({ blocks: [text('It is done.')] });
    await finish(taskId, 'Forty-two');
    await first.idle();
    expect(JSON.stringify(endpoint.requests[1]?.body.messages.at(-1))).toContain('Forty-two');
    expect(first.messages().at(-1)?.blocks).toMatchObject([{ text: 'It is done.' }]);
  });

  it('can be cancelled alone: the turn goes on', async () => {
    const { first, id, endpoint, taskId, cancelled } = await begin();
    endpoint.script.push({ blocks: [text('A pity.')] });
    expect(first.turns.stopCall(id, 't1')).toBe(true);
    await first.idle();
    expect(await cancelled()).toEqual([taskId]);
    expect(first.messages()[1]?.blocks[0]).toMatchObject({ status: 'cancelled' });
    expect(first.messages().at(-1)?.blocks).toMatchObject([{ text: 'A pity.' }]);
  });

  it('is cancelled by Stop', async () => {
    const { first, id, taskId, cancelled } = await begin();
    await first.turns.stop(id);
    expect(await cancelled()).toEqual([taskId]);
    expect(first.messages()[1]?.blocks[0]).toMatchObject({ status: 'cancelled' });
  });

  it('is cancelled when its message is deleted in the next life', async () => {
    const { first, id, taskId, cancelled, restart } = await begin();
    await first.close();
    const { adopted, branches, conversations } = await restart();
    const message = conversations.messages(id).at(-1)?.id ?? '';
    await adopted.stopOf(branches.from(id, message));
    branches.deleteFrom(id, message);
    expect(await cancelled()).toEqual([taskId]);
    expect(conversations.messages(id).map(({ role }) => role)).toEqual(['user']);
  });

  it('outlives Parley: its card gets the result in the next life, and the model with Continue', async () => {
    const { first, id, endpoint, taskId, cardOf, restart, finish, cancelled } = await begin();
    await first.close();
    const next = await restart();
    expect(cardOf(next)).toMatchObject({ status: 'running', task: { id: taskId } });
    expect(await cancelled()).toEqual([]);
    await finish(taskId, 'Forty-two');
    await vi.waitFor(() => expect(cardOf(next).status).toBe('done'), 10_000);
    expect(cardOf(next).result).toEqual({ content: [{ type: 'text', text: 'Forty-two' }] });
    endpoint.script.push({ blocks: [text('It is done.')] });
    await next.turns.resume(id);
    await next.idle();
    expect(endpoint.requests.at(-1)?.violation).toBeUndefined();
    expect(JSON.stringify(endpoint.requests.at(-1)?.body.messages)).toContain('Forty-two');
  });

  it('keeps its question over the restart: it is not answered by the end of Parley', async () => {
    const params = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
    const { first, taskId, cardOf, restart, finish, answers } = await begin({
      ask: { who: { method: 'elicitation/create', params } },
    });
    await vi.waitFor(() => expect(first.asks.pending()).toHaveLength(1), 10_000);
    expect(cardOf(first)).toMatchObject({ task: { waiting: true } });
    await first.close();
    await expect(answers(taskId)).rejects.toThrow(/ENOENT/);
    const next = await restart();
    await vi.waitFor(() => expect(next.asks.pending()).toHaveLength(1), 10_000);
    next.asks.answer(next.asks.pending()[0]?.id ?? '', { action: 'accept', content: {} });
    await vi.waitFor(
      async () => expect(await answers(taskId)).toMatchObject({ who: { action: 'accept' } }),
      10_000,
    );
    await finish(taskId, 'Thanks');
    await vi.waitFor(() => expect(cardOf(next).status).toBe('done'), 10_000);
  });

  it('can be cancelled in the next life', async () => {
    const { first, id, taskId, cardOf, restart, cancelled } = await begin();
    await first.close();
    const next = await restart();
    await next.adopted.stop(id, 't1');
    expect(cardOf(next).status).toBe('cancelled');
    expect(await cancelled()).toEqual([taskId]);
    await next.close();
    const third = await restart();
    expect(cardOf(third).status).toBe('cancelled');
  });

  it('is not waited for by two processes', async () => {
    const { first, taskId, cardOf, restart, finish } = await begin();
    await first.close();
    const claim = (db: Db) => db.prepare('UPDATE running_tasks SET owner_pid = ?').run(process.ppid);
    const next = await restart(claim);
    await finish(taskId, 'For the other one');
    await next.adopted.close();
    expect(cardOf(next).status).toBe('running');
    await next.close();
    const third = await restart(db => db.prepare('UPDATE running_tasks SET owner_pid = ?').run(process.pid));
    await vi.waitFor(() => expect(cardOf(third).status).toBe('done'), 10_000);
  });
});
