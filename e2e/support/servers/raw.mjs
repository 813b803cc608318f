// A stdio MCP server without an SDK, so that it can misbehave on purpose. Everything is set by environment variables:
// TOOLS, RESULT (JSON), BANNER and NOISE (text on stdout), EOL=crlf, CHUNK (bytes a write), INIT_HELD (a file that must
// exist before `initialize` is answered), LOG=1 (received lines to stderr), REPLIES (method -> raw reply with $id),
// DIE_ON_UNKNOWN=1, STUBBORN=1, SAVES (a file to write after stdin ends), PIDFILE.
import { existsSync, watch, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import readline from 'node:readline';

const { env } = process;
const eol = env.EOL === 'crlf' ? '\r\n' : '\n';
const step = Number(env.CHUNK ?? 0);
const tools = JSON.parse(env.TOOLS ?? '[{"name":"echo","inputSchema":{"type":"object"}}]');
const result = JSON.parse(env.RESULT ?? '{"content":[{"type":"text","text":"ok"}]}');
const replies = JSON.parse(env.REPLIES ?? '{}');

let queue = Promise.resolve();
const write = bytes => new Promise(done => process.stdout.write(bytes, done));
const send = text => {
  queue = queue.then(async () => {
    const bytes = Buffer.from(text + eol);
    for (let at = 0; at < bytes.length; at += step || bytes.length)
      await write(bytes.subarray(at, at + (step || bytes.length)));
  });
};
const reply = (id, body) => send(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
const fileExists = file =>
  new Promise(done => {
    const check = () => {
      if (!existsSync(file)) return;
      watcher.close();
      done();
    };
    const watcher = watch(dirname(file), check);
    check();
  });

if (env.PIDFILE) writeFileSync(env.PIDFILE, String(process.pid));
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
  if (env.SAVES)
    setTimeout(() => {
      writeFileSync(env.SAVES, 'saved');
      process.exit(0);
    }, 1500);
  else if (!env.STUBBORN) process.exit(0);
});
lines.on('line', async line => {
  const message = JSON.parse(line);
  if (env.LOG) process.stderr.write(`${line}\n`);
  if (message.id === undefined) return;
  if (env.NOISE) send(env.NOISE);
  const { id, method, params } = message;
  if (replies[method]) return send(JSON.stringify(replies[method]).replace('"$id"', JSON.stringify(id)));
  if (method === 'initialize') {
    if (env.INIT_HELD) {
      process.stderr.write('fetching 12%\n');
      await fileExists(env.INIT_HELD);
    }
    const { protocolVersion } = params;
    const serverInfo = { name: 'raw', version: '0' };
    return reply(id, {
      result: { protocolVersion, capabilities: { tools: {}, prompts: {}, resources: {} }, serverInfo },
    });
  }
  if (method === 'tools/list') return reply(id, { result: { tools } });
  if (method === 'prompts/list') return reply(id, { result: { prompts: [] } });
  if (method === 'resources/list') return reply(id, { result: { resources: [] } });
  if (method === 'tools/call') return reply(id, { result });
  if (method === 'exit') process.exit(1);
  if (env.DIE_ON_UNKNOWN) process.exit(3);
  return reply(id, { error: { code: -32601, message: 'no such method' } });
});
