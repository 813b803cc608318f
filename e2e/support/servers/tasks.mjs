// A modern server whose tool `work` answers with a task (extension io.modelcontextprotocol/tasks). Its tasks are files
// in the folder TASKS, so they outlive it, and what becomes of them is decided there by the test: a task is done as
// soon as a file `TASK.done` says what its result is. Over stdio, or with the argument `http` on a free port.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const folder = process.env.TASKS ?? '.';
const pathOf = (/** @type {string} */ id, /** @type {string} */ what) => join(folder, `${id}.${what}`);
const read = (/** @type {string} */ file) => JSON.parse(readFileSync(file, 'utf8'));

/** @param {string} id */
function stateOf(id) {
  if (!/^[\w-]+$/.test(id) || !existsSync(pathOf(id, 'json')))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Failed to retrieve task: Task not found');
  const { args, ...task } = read(pathOf(id, 'json'));
  if (existsSync(pathOf(id, 'cancelled'))) return { ...task, status: 'cancelled', statusMessage: 'Given up' };
  if (existsSync(pathOf(id, 'done'))) return { ...task, ...read(pathOf(id, 'done')) };
  const answered = existsSync(pathOf(id, 'answers')) ? read(pathOf(id, 'answers')) : {};
  const open = Object.entries(args.ask ?? {}).filter(([key]) => !Object.hasOwn(answered, key));
  if (open.length > 0) return { ...task, status: 'input_required', inputRequests: Object.fromEntries(open) };
  return task;
}

function createTaskServer() {
  const server = new Server(
    { name: 'tasks', version: '1.0.0' },
    { capabilities: { tools: {}, extensions: { [EXTENSION]: {} } } },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'work', description: 'Takes long', inputSchema: { type: 'object' } }],
  }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const taskId = randomUUID();
    const now = new Date().toISOString();
    const args = params.arguments ?? {};
    const task = {
      taskId,
      status: 'working',
      statusMessage: 'Half of it is done',
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs: 3_600_000,
      pollIntervalMs: 50,
      .../** @type {object} */ (args.task ?? {}),
    };
    writeFileSync(pathOf(taskId, 'json'), JSON.stringify({ ...task, args }));
    return /** @type {any} */ ({ resultType: 'task', ...task });
  });
  const params = z.looseObject({ taskId: z.string() });
  server.setRequestHandler('tasks/get', { params }, ({ taskId }) => stateOf(taskId));
  server.setRequestHandler('tasks/update', { params }, ({ taskId }, { mcpReq }) => {
    stateOf(taskId);
    const before = existsSync(pathOf(taskId, 'answers')) ? read(pathOf(taskId, 'answers')) : {};
    writeFileSync(pathOf(taskId, 'answers'), JSON.stringify({ ...before, ...mcpReq.inputResponses }));
    return {};
  });
  server.setRequestHandler('tasks/cancel', { params }, ({ taskId }) => {
    stateOf(taskId);
    writeFileSync(pathOf(taskId, 'cancelled'), '');
    return {};
  });
  return server;
}

if (process.argv[2] === 'http') {
  const http = createServer(/** @type {any} */ (toNodeHandler(createMcpHandler(createTaskServer))));
  http.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => console.error('listening'));
} else {
  serveStdio(createTaskServer);
}
