import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { SetupError, say } from './say.mjs';

/** Whether windows can be shown here. @param {NodeJS.ProcessEnv} [env] */
export function hasDisplay(env = process.env, platform = process.platform) {
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/**
 * Runs `work` with the names of displays for windows that must not share one: none where there is a display already,
 * else `count` virtual ones for its duration.
 * @template T
 * @param {number} count
 * @param {(names: string[]) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withVirtualDisplays(count, work) {
  if (hasDisplay()) return work([]);
  say(`starting ${count} virtual displays (Xvfb)`);
  /** @type {Awaited<ReturnType<typeof startVirtualDisplay>>[]} */
  const displays = [];
  try {
    for (let index = 0; index < count; index++) displays.push(await startVirtualDisplay());
    return await work(displays.map(({ name }) => name));
  } finally {
    for (const display of displays) await display.close();
  }
}

async function startVirtualDisplay() {
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
