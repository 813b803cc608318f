// A stdio MCP server without an SDK, so that it can misbehave on purpose. Everything is set by environment variables,
// or by a JSON object of the same names as the first argument (arguments are no secrets and show in logs):
// what it is          ERA=modern (no `initialize`), TOOLS and RESULT (JSON), PIDFILE, CHILD (a file for the id of a
//                     stubborn grandchild), LOG=1 (received lines to stderr)
// how it answers      REPLIES (method -> raw reply with $id), SILENT (methods without an answer, by commas),
//                     INIT_HELD (a file that must exist before the first request is answered), DIE_ON_UNKNOWN=1
// how it writes       BANNER and NOISE (text on stdout), EOL=crlf, CHUNK (bytes a write), FLOOD=1 (stderr)
// how it ends         STUBBORN=1, SAVES (a file to write some time after stdin has ended)
// The tools `grow` and `exit` do what they say, `turn` makes another one of the first tool by its arguments; every
// other one answers RESULT.
import { spawn } from 'node:child_process';
import { existsSync, watch, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import readline from 'node:readline';

const env = { ...process.env, ...JSON.parse(process.argv[2] ?? '{}') };
const isModern = env.ERA === 'modern';
const eol = env.EOL === 'crlf' ? '\r\n' : '\n';
const step = Number(env.CHUNK ?? 0);
const tools = JSON.parse(env.TOOLS ?? '[{"name":"echo","inputSchema":{"type":"object"}}]');
const result = JSON.parse(env.RESULT ?? '{"content":[{"type":"text","text":"ok"}]}');
const replies = JSON.parse(env.REPLIES ?? '{}');
const silent = env.SILENT?.split(',') ?? [];
const IGNORE_SIGNALS = "for (const s of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(s, () => {});";

let queue = Promise.resolve();

/** @param {Uint8Array} bytes */
const write = bytes => new Promise(done => process.stdout.write(bytes, done));

/** @param {string} text */
function send(text) {
  queue = queue.then(async () => {
    const bytes = Buffer.from(text + eol);
    for (let at = 0; at < bytes.length; at += step || bytes.length)
      await write(bytes.subarray(at, at + (step || bytes.length)));
  });
}

/** @param {unknown} id @param {object} body */
const reply = (id, body) => send(JSON.stringify({ jsonrpc: '2.0', id, ...body }));

/** @param {unknown} id @param {object} value */
function answer(id, value) {
  const envelope = isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
  reply(id, { result: { ...envelope, ...value } });
}

/** @param {string} file @returns {Promise<void>} */
function fileExists(file) {
  return new Promise(done => {
    const check = () => {
      if (!existsSync(file)) return;
      watcher.close();
      done();
    };
    const watcher = watch(dirname(file), check);
    check();
  });
}

if (env.PIDFILE) writeFileSync(env.PIDFILE, String(process.pid));
if (env.CHILD) {
  const script = `${IGNORE_SIGNALS} setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  writeFileSync(env.CHILD, String(child.pid));
}
if (env.BANNER) process.stdout.write(env.BANNER);
if (env.STUBBORN) {
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => {});
  setInterval(() => {}, 1000);
}
if (env.FLOOD) {
  process.stderr.write(`${'x'.repeat(1 << 20)}\n`);
  setInterval(() => process.stderr.write(`${'INFO tick '.repeat(500)}\n`), 1);
}

const lines = readline.createInterface({ input: process.stdin });
lines.on('close', () => {
  const { SAVES, STUBBORN } = env;
  if (SAVES)
    setTimeout(() => {
      writeFileSync(SAVES, 'saved');
      process.exit(0);
    }, 1500);
  else if (!STUBBORN) process.exit(0);
});
lines.on('line', async line => {
  const message = JSON.parse(line);
  if (env.LOG) process.stderr.write(`${line}\n`);
  const { id, method, params } = message;
  if (id === undefined || silent.includes(method)) return;
  if (env.NOISE) send(env.NOISE);
  if (replies[method]) return send(JSON.stringify(replies[method]).replace('"$id"', JSON.stringify(id)));
  if (method === (isModern ? 'server/discover' : 'initialize')) {
    if (env.INIT_HELD) {
      process.stderr.write('fetching 12%\n');
      await fileExists(env.INIT_HELD);
    }
    const list = { listChanged: true };
    const who = {
      capabilities: { tools: list, prompts: {}, resources: {} },
      serverInfo: { name: 'raw', version: '0' },
    };
    return isModern
      ? answer(id, { supportedVersions: ['2026-07-28'], ...who })
      : answer(id, { protocolVersion: params.protocolVersion, ...who });
  }
  if (method === 'tools/list') return answer(id, { tools });
  if (method === 'prompts/list') return answer(id, { prompts: [] });
  if (method === 'resources/list') return answer(id, { resources: [] });
  if (method === 'resources/templates/list') return answer(id, { resourceTemplates: [] });
  if (method === 'tools/call') {
    if (params.name === 'exit') process.exit(1);
    if (params.name === 'grow') {
      tools.push({ name: `grown${tools.length}`, inputSchema: { type: 'object' } });
      send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
    }
    if (params.name === 'turn') {
      tools[0] = { ...tools[0], ...params.arguments };
      send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
    }
    return answer(id, result);
  }
  if (env.DIE_ON_UNKNOWN) process.exit(3);
  return reply(id, { error: { code: -32601, message: 'no such method' } });
});
