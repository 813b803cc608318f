// A server that is being installed on its first start: `slowStart.mjs FLAG PROGRAM [ARGS]` starts PROGRAM only after
// the host has given up waiting for the answer to its first request and sent `initialize` as well; when the file FLAG
// is already there, at once. What the host wrote meanwhile is handed on in order.
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';

const [flag, program, ...args] = /** @type {[string, string, ...string[]]} */ (process.argv.slice(2));
const isInstalled = existsSync(flag);
let received = '';
if (isInstalled) run();
else {
  process.stderr.write('installing\n');
  process.stdin.on('data', install);
}

/** @param {Buffer} chunk */
function install(chunk) {
  received += chunk;
  if (!received.includes('"initialize"')) return;
  process.stdin.off('data', install);
  writeFileSync(flag, '');
  run();
}

function run() {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'inherit', 'inherit'] });
  child.stdin.write(received);
  process.stdin.pipe(child.stdin);
  child.on('exit', code => process.exit(code ?? 1));
}
