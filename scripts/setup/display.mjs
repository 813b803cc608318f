import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { SetupError, say } from './say.mjs';

/** Whether windows can be shown here. @param {NodeJS.ProcessEnv} [env] */
export function hasDisplay(env = process.env, platform = process.platform) {
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/**
 * Runs `work` with the environment of a display: the one there is, else a virtual one for its duration.
 * @template T
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withDisplay(work) {
  if (hasDisplay()) return work({});
  const display = await startVirtualDisplay();
  try {
    return await work({ DISPLAY: display.name });
  } finally {
    await display.close();
  }
}

async function startVirtualDisplay() {
  say('starting a virtual display (Xvfb)');
  // Xvfb picks a free number and writes it to the descriptor 3. A process group of its own, so that Ctrl-C ends the
  // programs on the display first.
  const xvfb = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const closed = once(xvfb, 'close');
  const kill = () => void xvfb.kill();
  process.once('exit', kill);
  const numbers = /** @type {import('node:stream').Readable} */ (xvfb.stdio[3]);
  const number = await Promise.race([once(numbers, 'data'), closed.then(() => undefined)]);
  if (!number) throw new SetupError('The virtual display did not start.', 'Try `Xvfb :99` to see why.');
  return {
    name: `:${String(number[0]).trim()}`,
    async close() {
      process.off('exit', kill);
      kill();
      await closed;
    },
  };
}
