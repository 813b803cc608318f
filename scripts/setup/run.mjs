// Child processes of the scripts. None outlives its script: a signal to the script ends the child first.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { SetupError } from './say.mjs';

/**
 * @typedef {object} RunOptions
 * @property {string | undefined} [cwd]
 * @property {NodeJS.ProcessEnv} [env] the whole environment; default: ours
 * @property {'inherit' | 'capture' | 'stderr'} [output] `stderr`: what the child prints goes to our stderr
 * @property {number} [timeoutMs] then the child is ended and `timedOut` is true
 * @property {boolean} [foreground] the child is the program the person runs: it decides what Ctrl-C means
 *
 * @typedef {{ code: number, output: string, timedOut: boolean }} RunResult
 *   `code` is 128 + signal number where a signal ended the child; `output` holds stdout and stderr if captured
 */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** @type {NodeJS.Signals | undefined} */
let interruptedBy;

/**
 * Runs a program to its end. Rejects only if it cannot be started.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export function run(command, args, options = {}) {
  const { output = 'inherit', timeoutMs, foreground = false } = options;
  const stdio = {
    inherit: /** @type {const} */ ('inherit'),
    capture: /** @type {const} */ (['ignore', 'pipe', 'pipe']),
    stderr: /** @type {const} */ (['ignore', 2, 2]),
  }[output];
  listenForSignals();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: /** @type {import('node:child_process').StdioOptions} */ (stdio),
      shell: process.platform === 'win32' && !command.endsWith('.exe'),
    });
    running.add(child);
    let text = '';
    let timedOut = false;
    child.stdout?.on('data', chunk => (text += chunk));
    child.stderr?.on('data', chunk => (text += chunk));
    const timer = timeoutMs && setTimeout(() => (timedOut = child.kill('SIGKILL')), timeoutMs);
    child.once('error', error => {
      running.delete(child);
      clearTimeout(timer || undefined);
      reject(error);
    });
    child.once('close', (code, signal) => {
      running.delete(child);
      clearTimeout(timer || undefined);
      if (interruptedBy && !foreground) process.exit(128 + constants.signals[interruptedBy]);
      resolve({ code: signal ? 128 + constants.signals[signal] : (code ?? 1), output: text, timedOut });
    });
  });
}

/**
 * Runs npm, the one that started us if there is one.
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export function runNpm(args, options) {
  const npmScript = process.env.npm_execpath;
  return npmScript?.endsWith('npm-cli.js')
    ? run(process.execPath, [npmScript, ...args], options)
    : run('npm', args, options);
}

/**
 * The captured output of a program, or undefined where the program does not exist.
 * @param {string} command
 * @param {string[]} args
 */
export async function outputOf(command, args) {
  try {
    return (await run(command, args, { output: 'capture' })).output;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Runs a program that must succeed.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions & { hint: string }} options
 * @returns {Promise<string>} its output if captured
 */
export async function mustRun(command, args, options) {
  const { code, output } = await run(command, args, options);
  if (code !== 0)
    throw new SetupError(`${command} ${args[0]} failed (exit ${code}). ${output}`, options.hint);
  return output;
}

let listening = false;

function listenForSignals() {
  if (listening) return;
  listening = true;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => interrupt(signal));
  }
  // A SIGTERM to npm ends the shell between npm and us, and nobody tells us.
  const parent = process.ppid;
  const orphaned = () => process.ppid !== parent && interrupt('SIGTERM');
  if (process.env.npm_lifecycle_event) setInterval(orphaned, 1_000).unref();
}

/** @param {NodeJS.Signals} signal */
function interrupt(signal) {
  interruptedBy = signal;
  if (running.size === 0) process.exit(128 + constants.signals[signal]);
  // Ctrl-C in a terminal reaches the child by itself, and a second SIGINT would cut its clean-up short.
  if (signal === 'SIGINT' && process.stdin.isTTY) return;
  for (const child of running) child.kill('SIGTERM');
}
